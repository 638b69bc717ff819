package kvrank.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PeersArgumentsTest {

  @Test
  void whatSaysNothingThatCanBeDoneIsRefused() {
    refused("--pairs needs a whole number of at least 1, not '0'", "--pairs", "0", "noop");
    refused("--seconds needs a whole number of at least 1, not ''", "--seconds");
    refused("--against needs the folder of another kvrank that is built, not ''", "--against");
    assertThat(PeersArguments.of(List.of("--patience", "0", "redis")).chooses("redis-get-1"))
        .isTrue();
  }

  private static void refused(String message, String... words) {
    assertThatThrownBy(() -> PeersArguments.of(List.of(words)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
