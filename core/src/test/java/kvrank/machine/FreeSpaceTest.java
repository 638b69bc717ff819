package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import kvrank.Skip;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeSpaceTest {

  @TempDir private Path folder;

  @Test
  void aDiskThatWasFullIsRememberedOnceItIsFreeAgain() throws Exception {
    if (run("mount", "-t", "tmpfs", "-o", "size=32m", "none", folder.toString()) != 0) {
      Skip.test("no disk is filled", "only root can mount a tmpfs");
    }
    try (FreeSpace space = new FreeSpace(folder)) {
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
    try (FreeSpace space = new FreeSpace(folder.resolve("removed"))) {
      assertThat(space.shortage()).isEmpty();
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
