package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FootprintTest {

  @TempDir Path folder;

  @Test
  void emptyFoldersAndFilesHoldNothing() throws Exception {
    assertThat(Footprint.hasFiles(folder)).isFalse();
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path file = Files.createFile(inner.resolve("LOCK"));
    assertThat(Footprint.hasFiles(folder)).isFalse();
    Files.writeString(file, "data");
    assertThat(Footprint.hasFiles(folder)).isTrue();
  }
}
