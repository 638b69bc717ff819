package kvrank.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {

  @TempDir private Path folder;

  /** The check comes before the opening, which then waited forever for a writer. */
  @Test
  void aPipeThatReplacesAFileAfterTheCheckIsNotWaitedFor() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatIOException()
        .isThrownBy(() -> InputFile.read(pipe, 0, Duration.ofMillis(1)))
        .withMessageContaining("as with a pipe; replace it with a regular file");
    assertThatIOException()
        .isThrownBy(() -> InputFile.open(pipe))
        .withMessageStartingWith("it is a pipe, socket or device");
  }

  @Test
  void aFileIsReadUpToItsLimit() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[1 << 20]);
    assertThat(InputFile.text(file, 1)).hasSize(1 << 20);
    Files.write(file, new byte[(1 << 20) + 1]);
    assertThatIOException()
        .isThrownBy(() -> InputFile.text(file, 1))
        .withMessage("it is larger than 1 MiB");
    try (InputStream in = InputFile.open(file)) {
      assertThat(in.readAllBytes()).hasSize((1 << 20) + 1);
    }
  }
}
