package kvrank.provision.disk;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import kvrank.provision.host.Executables;
import kvrank.provision.host.Reaper;
import kvrank.scenario.CrashTest.FileSystem;
import kvrank.scenario.CrashTest.Keep;
import kvrank.scenario.CrashTest.PowerCut;

/** A kvrank of its own that creates a disk, prints its pid and then waits to be killed. */
final class DiskOwner {

  private DiskOwner() {}

  /** The arguments: the disk's folder and its file system. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    Executables executables = new Executables(System.getenv());
    FileSystem fileSystem = FileSystem.valueOf(arguments[1]);
    VolatileDisk disk =
        VolatileDisk.create(
            Path.of(arguments[0]),
            new PowerCut(List.of(Keep.NONE), 4096, fileSystem, Duration.ZERO, Optional.empty()),
            executables,
            new Reaper(executables));
    Files.writeString(disk.data().resolve("unsynced"), "x".repeat(1 << 20));
    System.out.println(disk.pid());
    Thread.sleep(Long.MAX_VALUE);
  }
}
