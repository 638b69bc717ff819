package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemFileTest {

  @TempDir private Path folder;

  @Test
  void findsFieldsBehindANameThatLooksLikeFields() {
    assertThat(ProcessSample.fields("42 (a) 7 (b) c) S 1 -2 3"))
        .containsExactly("S", "1", "-2", "3");
  }

  @Test
  void findsTheNumberOfALineAndNotOfOneThatEndsLikeIt() {
    String io = "read_bytes: 5\ncancelled_write_bytes: 6\nwrite_bytes: 7\nVmRSS:\t    8 kB\n";
    assertThat(SystemFile.number(io, "read_bytes")).hasValue(5);
    assertThat(SystemFile.number(io, "write_bytes")).hasValue(7);
    assertThat(SystemFile.number(io, "VmRSS")).hasValue(8);
    assertThat(SystemFile.number(io, "rchar")).isEmpty();
  }

  @Test
  void aFileThatIsEmptyOrNotThereHasNoText() throws IOException {
    assertThat(SystemFile.text(Files.writeString(folder.resolve("one"), " a\nb\n")))
        .contains("a\nb");
    assertThat(SystemFile.text(Files.writeString(folder.resolve("empty"), "\n"))).isEmpty();
    assertThat(SystemFile.text(folder.resolve("none"))).isEmpty();
  }
}
