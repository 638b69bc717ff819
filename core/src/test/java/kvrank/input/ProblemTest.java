package kvrank.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {

  @Test
  void namesAndMessagesStayInOneLine() {
    String text = "a\r\n\tb\rc\nd";
    Problem problem = new Problem(Path.of(text), 1, 2, text, text, "");
    assertThat(problem.oneLine()).isEqualTo("a b c d:1:2: a b c d: a b c d");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x07, 0x85, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200E, 0x2028, 0x2029, 0x202E,
        0x2060, 0x2066, 0x3164, 0xD800, 0xFEFF, 0xFFFF, 0xE0041, 0xE0100
      })
  void nothingHidesOrMovesText(int point) {
    String text = "a" + Character.toString(point) + "b";
    assertThat(new Problem(Path.of("x"), 1, 2, "", "", text).excerpt()).isEqualTo("a\uFFFDb");
  }
}
