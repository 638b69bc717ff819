package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.Skip;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShortageWatchTest {

  @TempDir private Path folder;

  @Test
  void aDiskThatWasFullIsRememberedOnceItIsFreeAgain() throws Exception {
    if (run("mount", "-t", "tmpfs", "-o", "size=32m", "none", folder.toString()) != 0) {
      Skip.test("no disk is filled", "only root can mount a tmpfs");
    }
    try (ShortageWatch space = new ShortageWatch(Optional.of(folder))) {
      assertThat(space.shortage()).isEmpty();
      Path fill = Files.write(folder.resolve("fill"), new byte[32 << 20]);
      assertThat(space.shortage()).isPresent();
      Files.delete(fill);
      assertThat(space.shortage())
          .contains("the disk of '%s' had only 0 KiB left; free some space".formatted(folder));
    } finally {
      assertThat(run("umount", folder.toString())).isZero();
    }
  }

  @Test
  void aRemovedFolderIsNotAFullDisk() throws Exception {
    try (ShortageWatch space = new ShortageWatch(Optional.of(folder.resolve("removed")))) {
      assertThat(space.shortage()).isEmpty();
    }
  }

  @Test
  void threadsThatWereTakenAreRememberedOnceTheyAreFreeAgain() throws Exception {
    Path kernel = Files.createDirectories(folder.resolve("sys/kernel"));
    Files.writeString(kernel.resolve("pid_max"), "1000\n");
    Files.writeString(kernel.resolve("threads-max"), "5000\n");
    Path load = Files.writeString(folder.resolve("loadavg"), "0.10 0.20 0.30 1/107 4711\n");
    try (ShortageWatch watch = new ShortageWatch(Optional.empty(), folder)) {
      assertThat(watch.shortage()).isEmpty();
      Files.writeString(load, "0.10 0.20 0.30 1/700 4711\n");
      assertThat(watch.shortage()).isPresent();
      Files.writeString(load, "0.10 0.20 0.30 1/107 4711\n");
      assertThat(watch.shortage())
          .contains(
              "70 % of the threads that the kernel allows were in use; end some, or raise kernel.pid_max");
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
