package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemFileTest {

  @TempDir private Path folder;

  private SystemFile of(String text) throws IOException {
    SystemFile file = new SystemFile(Files.writeString(folder.resolve("file"), text));
    file.read();
    return file;
  }

  @Test
  void findsFieldsBehindANameThatLooksLikeFields() throws IOException {
    try (SystemFile stat = of("42 (a) 7 (b) c) S 1 -2 3\n")) {
      int fields = stat.afterLast(')');

      assertThat(stat.field(fields, 1)).isEqualTo(1);
      assertThat(stat.field(fields, 2)).isEqualTo(-2);
      assertThat(stat.field(fields, 3)).isEqualTo(3);
      assertThatThrownBy(() -> stat.field(fields, 4)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> stat.field(fields, 0)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void findsTheNumberOfALineAndNotOfOneThatEndsLikeIt() throws IOException {
    try (SystemFile io =
        of("read_bytes: 5\ncancelled_write_bytes: 6\nwrite_bytes: 7\nVmRSS:\t    8 kB\n")) {
      assertThat(io.numberOf("read_bytes:")).isEqualTo(5);
      assertThat(io.numberOf("write_bytes:")).isEqualTo(7);
      assertThat(io.numberOf("VmRSS:")).isEqualTo(8);
      assertThatThrownBy(() -> io.numberOf("rchar:")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void readsAnew() throws IOException {
    try (SystemFile file = of("1000 20\n")) {
      Files.writeString(folder.resolve("file"), "3\n");
      file.read();

      assertThat(file.field(0, 0)).isEqualTo(3);
      assertThatThrownBy(() -> file.field(0, 1)).isInstanceOf(IOException.class);
    }
  }
}
