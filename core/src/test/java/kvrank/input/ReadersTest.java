package kvrank.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadersTest {

  @TempDir private Path folder;

  @Test
  void everyFileIsReadOnce() throws Exception {
    List<Path> files = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      texts.add("text " + i);
      files.add(Files.writeString(folder.resolve("file" + i), "text " + i));
    }
    Queue<String> read = new ConcurrentLinkedQueue<>();
    Readers.forEach(files, file -> read.add(text(file, Duration.ofMinutes(1))));
    assertThat(read).containsExactlyInAnyOrderElementsOf(texts);
  }

  @Test
  void aPipeAmongFilesIsNotWaitedFor() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path file = Files.writeString(folder.resolve("file"), "text");
    assertThatIOException()
        .isThrownBy(
            () -> Readers.forEach(List.of(pipe, file), each -> text(each, Duration.ofMillis(1))))
        .withMessage(
            pipe
                + ": reading it did not end within 1 s, as with a pipe; replace it with a regular"
                + " file");
  }

  @Test
  void whatReadingThrowsIsThrown() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> Readers.forEach(List.of(missing), each -> text(each, Duration.ZERO)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("missing");
  }

  private static String text(Path file, Duration patience) {
    try {
      return InputFile.read(file, 1, patience);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
