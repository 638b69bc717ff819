package kvrank.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WidthTest {

  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
          plain text,plain text
          '',''
          ' ',''
          ' two  spaces ',two spaces
          'tab\tand\nline',tab and line
          \u001b[31mred\u001b[0m,red
          bell\u0007,bell
          µs ≥ 1,µs ≥ 1
          left\u202Eright,left\uFFFDright
          half \uD83D,half \uFFFD
          whole \uD83D\uDE00,whole \uD83D\uDE00
          """)
  void aLineHasNothingThatATerminalActsOn(String text, String line) {
    assertThat(Width.oneLine(text)).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource({
    "'a\tb\nc','a\tb\nc'",
    "a\u0007b,a\uFFFDb",
    "'a\rb','a\uFFFDb'",
    "a\u00ADb\u200Bc\u2028d\u2029e,a\uFFFDb\uFFFDc\uFFFDd\uFFFDe",
    "\u2066x,\uFFFDx",
    "\uD83D\uDE00,\uD83D\uDE00"
  })
  void printableTextKeepsItsLines(String text, String printable) {
    assertThat(Width.printable(text)).isEqualTo(printable);
  }
}
