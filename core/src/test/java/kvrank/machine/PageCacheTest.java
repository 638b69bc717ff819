package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {

  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  @Test
  void countsWhatWasWritten() throws IOException {
    Files.write(folder.resolve("a"), new byte[3 * MIB]);
    Files.createDirectory(folder.resolve("below"));
    Files.write(folder.resolve("below/b"), new byte[MIB + 1]);

    assertThat(PageCache.resident(folder)).isEqualTo(4 * MIB + 1);
  }

  /** An engine that removes files made a cold phase fail. */
  @Test
  void filesMayDisappearMeanwhile() throws Exception {
    Files.write(folder.resolve("stays"), new byte[MIB]);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> engine =
        CompletableFuture.runAsync(
            () -> {
              try {
                while (!over.get()) {
                  Path file = Files.createDirectories(folder.resolve("log")).resolve("file");
                  Files.write(file, new byte[1]);
                  Files.delete(file);
                  Files.delete(folder.resolve("log"));
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    try {
      for (int i = 0; i < 300; i++) {
        assertThat(PageCache.resident(folder)).isBetween((long) MIB, MIB + 1L);
      }
    } finally {
      over.set(true);
      engine.get();
    }
  }

  @Test
  void doesNotCountHoles() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("a").toFile(), "rw")) {
      file.setLength(3L << 30);
      file.seek(2L << 30);
      file.write(new byte[8 * MIB]);
    }

    // A sample of its pages.
    assertThat(PageCache.resident(folder)).isBetween(7L * MIB, 9L * MIB);
  }
}
