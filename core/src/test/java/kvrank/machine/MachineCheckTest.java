package kvrank.machine;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.Skip;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.failure.Failure;
import kvrank.scenario.MemoryLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that really lacks a resource, and servers that only report it. */
class MachineCheckTest {

  private static final Failure REPORTED = new Failure(Cause.ENGINE, "2 operations failed");
  private static final OptionalLong NO_SERVER = OptionalLong.empty();
  private static final Optional<Path> NO_FOLDER = Optional.empty();

  @TempDir private Path folder;

  private static Failure explained(List<Path> folders, OptionalLong server) {
    return new MachineCheck(Optional.empty()).ofReport(REPORTED, folders, server);
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Disk quota exceeded",
        "No space left on device",
        "Too many open files",
        "Cannot allocate memory",
        "Killed"
      })
  void theWordsOfAServerDecideNothing(String words) throws Exception {
    Failure reported = new Failure(Cause.ENGINE, "update ERROR x2: -ERR " + words);
    OptionalLong server = OptionalLong.of(ProcessHandle.current().pid());
    Path data = Files.createDirectory(folder.resolve("data"));

    assertThat(new MachineCheck(Optional.empty()).ofReport(reported, List.of(data), server))
        .isEqualTo(reported);
    assertThat(data).isEmptyDirectory();
    assertThat(folder.toFile().list()).containsExactly("data");
  }

  @Test
  void aMissingFolderWasRemovedByAnOutsider() {
    Path gone = folder.resolve("gone");
    assertThat(explained(List.of(gone), NO_SERVER))
        .isEqualTo(
            new Failure(Cause.OUTSIDER, "'%s' was removed: 2 operations failed".formatted(gone)));
  }

  @Test
  void anotherCauseThanTheEngineStays() {
    Failure own = new Failure(Cause.HARNESS, "a defect");
    List<Path> gone = List.of(folder.resolve("gone"));
    assertThat(new MachineCheck(Optional.empty()).ofReport(own, gone, NO_SERVER)).isEqualTo(own);
  }

  @Test
  void aFullDiskIsTheFaultOfTheMachine() throws Exception {
    Path disk = mounted("size=2m");
    try {
      Path data = Files.createDirectory(disk.resolve("data"));
      assertThat(explained(List.of(data), NO_SERVER)).isEqualTo(REPORTED);
      try (OutputStream fill = Files.newOutputStream(disk.resolve("fill"))) {
        while (true) {
          fill.write(new byte[4096]);
        }
      } catch (IOException full) {
        assertThat(disk.toFile().getUsableSpace()).isZero();
      }

      Failure failure = explained(List.of(data), NO_SERVER);
      assertThat(failure.cause()).isEqualTo(Cause.MACHINE);
      assertThat(failure.message())
          .isEqualTo(
              "nothing can be written to '%s' (No space left on device; free some space): 2"
                  + " operations failed",
              disk);
      MachineCheck check = new MachineCheck(Optional.empty());
      assertThat(check.ofReport(REPORTED, List.of(), Optional.of(disk), NO_SERVER, true))
          .as("no library of an embedded engine can be unpacked")
          .isEqualTo(failure);
    } finally {
      assertThat(run("umount", disk.toString())).isZero();
    }
  }

  /** A quota, too, keeps an engine from writing. */
  @Test
  void aReadOnlyDiskIsTheFaultOfTheMachine() throws Exception {
    Path disk = mounted("size=2m");
    try {
      Path data = Files.createDirectory(disk.resolve("data"));
      assertThat(run("mount", "-o", "remount,ro", disk.toString())).isZero();

      assertThat(explained(List.of(data), NO_SERVER).cause()).isEqualTo(Cause.MACHINE);
    } finally {
      assertThat(run("umount", disk.toString())).isZero();
    }
  }

  private Path mounted(String options) throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    if (run("mount", "-t", "tmpfs", "-o", options, "none", disk.toString()) != 0) {
      Skip.test("no disk is filled", "only root can mount a tmpfs");
    }
    return disk;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerAtItsLimitOfOpenFilesIsTheFaultOfTheMachine(boolean atLimit) throws Exception {
    String open = atLimit ? "exec 3<&0 4<&0 5<&0 6<&0 7<&0;" : "";
    Process server = new ProcessBuilder("sh", "-c", open + "ulimit -n 8; echo; read end").start();
    try {
      assertThat(server.getInputStream().read()).isEqualTo('\n');
      Failure failure = explained(List.of(), OptionalLong.of(server.pid()));
      assertThat(failure.cause()).isEqualTo(atLimit ? Cause.MACHINE : Cause.ENGINE);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  /** On a disk of its own, an engine that opens all files or fills the disk does so to itself. */
  @Test
  void whatAnEngineDoesToItsOwnDiskIsItsOwnFault() throws Exception {
    Process server = new ProcessBuilder("sh", "-c", "ulimit -n 3; echo; read end").start();
    try {
      assertThat(server.getInputStream().read()).isEqualTo('\n');
      OptionalLong pid = OptionalLong.of(server.pid());
      Path full = folder.resolve("no-such-folder");
      Path data = Files.createSymbolicLink(folder.resolve("data"), folder);
      List<Path> folders = List.of(data, folder);
      MachineCheck check = new MachineCheck(Optional.empty());
      assertThat(check.ofReport(REPORTED, folders, NO_FOLDER, pid, false).cause())
          .isEqualTo(Cause.MACHINE);
      assertThat(check.ofReport(REPORTED, folders, NO_FOLDER, pid, true)).isEqualTo(REPORTED);
      assertThat(check.ofReport(REPORTED, List.of(full, folder), NO_FOLDER, pid, true).cause())
          .as("its folder was removed")
          .isEqualTo(Cause.OUTSIDER);
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void aStoppedServerIsTheFaultOfAnOutsider() throws Exception {
    Process server = new ProcessBuilder("sleep", "60").start();
    try {
      OptionalLong pid = OptionalLong.of(server.pid());
      assertThat(explained(List.of(), pid).cause()).isEqualTo(Cause.ENGINE);
      assertThat(run("kill", "-STOP", Long.toString(server.pid()))).isZero();
      eventually("it is stopped", () -> MachineCheck.stopped(pid));
      assertThat(explained(List.of(), pid))
          .isEqualTo(
              new Failure(
                  Cause.OUTSIDER, "its server was stopped by a signal: 2 operations failed"));
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  /** Anyone can kill a process; only the kernel does it for lack of memory. */
  @Test
  void aKillIsTheFaultOfAnOutsider() throws Exception {
    Process server = new ProcessBuilder("sleep", "60").start();
    MachineCheck check = new MachineCheck(Optional.empty());
    int status = server.destroyForcibly().waitFor();

    Failure failure = check.ofEnd(Ending.of(status, Cause.ENGINE, "was killed"), "it was killed");
    assertThat(failure).isEqualTo(new Failure(Cause.OUTSIDER, "it was killed"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLackOfMemoryIsTheFaultOfTheMachineUnlessTheScenarioLimitsIt(boolean stated)
      throws Exception {
    MemoryGroup group;
    try {
      group = MemoryGroup.of(new MemoryLimit(32L << 20));
    } catch (IOException e) {
      Skip.test("no process is killed for lack of memory", e.getMessage());
      return;
    }
    try (group) {
      MachineCheck check = new MachineCheck(stated ? Optional.of(group) : Optional.empty());
      Ending ending = Ending.of(starved(group), Cause.ENGINE, "was killed");

      Failure failure = check.ofEnd(ending, "it was killed");
      assertThat(failure.cause()).isEqualTo(stated ? Cause.ENGINE : Cause.MACHINE);
      assertThat(failure.message())
          .isEqualTo(
              stated
                  ? "killed by the memory limit of 32MiB: it was killed"
                  : "killed by the kernel for lack of memory: it was killed");
      assertThat(check.ofReport(REPORTED, List.of(), NO_SERVER).cause())
          .as("a child of the server, as one that writes a snapshot")
          .isEqualTo(stated ? Cause.ENGINE : Cause.MACHINE);
    }
  }

  /** Returns the exit status of a process that needs more memory than {@code group} has. */
  private static int starved(MemoryGroup group) throws Exception {
    List<String> command = new ArrayList<>(group.entry());
    command.addAll(List.of("sh", "-c", "head -c 200M /dev/zero | tail"));
    Process process = new ProcessBuilder(command).start();
    process.waitFor();
    // The shell ends with the status of tail.
    return process.exitValue();
  }
}
