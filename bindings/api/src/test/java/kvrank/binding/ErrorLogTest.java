package kvrank.binding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ErrorLogTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ErrorLog log = new ErrorLog(new PrintStream(printed, true, UTF_8));

  @Test
  void eachDistinctMessageIsPrintedOnce() {
    for (int i = 0; i < 1000; i++) {
      log.report("refused");
      log.report("reset");
    }
    assertThat(printed.toString(UTF_8).lines()).containsExactly("refused", "reset");
  }

  @Test
  void theMostFrequentMessagesHaveTheirCounts() {
    assertThat(log.mostFrequent()).isEmpty();
    log.report("rare");
    log.count("counted");
    for (String message : List.of("refused", "reset", "reset", "refused", "reset")) {
      log.report(message);
    }
    assertThat(log.mostFrequent()).isEqualTo("reset (x3); refused (x2); counted (x1)");
    log.reset();
    log.report("reset");
    assertThat(log.mostFrequent()).isEqualTo("reset (x1)");
    assertThat(printed.toString(UTF_8).lines()).containsExactly("rare", "refused", "reset");
  }

  @Test
  void messagesThatVaryWithTheKeyDoNotFillTheLog() {
    for (int i = 0; i < 100_000; i++) {
      log.report("no such key: " + i);
    }
    assertThat(printed.toString(UTF_8).lines()).hasSize(ErrorLog.LIMIT);
  }
}
