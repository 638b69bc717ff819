package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContentCacheTest {

  @TempDir Path folder;
  private int read;
  private final ContentCache<String> cache =
      new ContentCache<>(
          file -> {
            read++;
            return Files.readString(file);
          });

  @Test
  void aFileIsReadAgainOnlyIfItChanged() throws IOException {
    Path file = Files.writeString(folder.resolve("engine.so"), "one");
    FileTime time = Files.getLastModifiedTime(file);
    assertThat(cache.of(file)).isEqualTo("one");
    assertThat(cache.of(file)).isEqualTo("one");
    assertThat(read).isEqualTo(1);

    // Same length and time, as after a change that was hidden on purpose.
    Path other = Files.writeString(folder.resolve("other"), "two");
    Files.setLastModifiedTime(other, time);
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

    assertThat(cache.of(file)).isEqualTo("two");
    Files.delete(file);
    assertThatThrownBy(() -> cache.of(file)).isInstanceOf(NoSuchFileException.class);
  }
}
