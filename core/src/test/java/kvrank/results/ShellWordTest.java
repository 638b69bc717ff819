package kvrank.results;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "results/quick/2026-01-02T030405Z",
        "results/my scenario/2026-01-02T030405Z",
        "it's",
        "a \"b\" 'c' $HOME `id` \\ !x",
        "a\nb",
        "~/x;rm",
        "*",
        "größe=[1]",
        ""
      })
  void aShellTakesItAsOneWord(String text) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "printf '<%s>' " + ShellWord.of(text))
            .redirectErrorStream(true)
            .start();
    assertThat(new String(shell.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("<" + text + ">");
  }

  @Test
  void plainPathsStayAsTheyAre() {
    assertThat(ShellWord.of("results/größe/2026-01-02T030405Z"))
        .isEqualTo("results/größe/2026-01-02T030405Z");
    assertThat(ShellWord.of("a b")).isEqualTo("\"a b\"");
  }
}
