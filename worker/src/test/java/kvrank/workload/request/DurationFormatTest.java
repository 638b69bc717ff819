package kvrank.workload.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatTest {

  @Test
  void readsNumbersWithAUnit() {
    assertThat(DurationFormat.parse("500ms")).contains(Duration.ofMillis(500));
    assertThat(DurationFormat.parse("1.5s")).contains(Duration.ofMillis(1500));
    assertThat(DurationFormat.parse("2m")).contains(Duration.ofMinutes(2));
    assertThat(DurationFormat.parse("0.5h")).contains(Duration.ofMinutes(30));
    assertThat(DurationFormat.parse("0s")).contains(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "-1s", "1 s", "1e3s", "1d", "1s500ms", ".5s"})
  void readsNothingElse(String text) {
    assertThat(DurationFormat.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.4ms", "0.5ms", "1.4ms", "0.0004s", "0.3333333m"})
  void refusesFractionsOfAMillisecond(String text) {
    assertThat(DurationFormat.parse(text)).isEmpty();
  }

  @Test
  void readsFractionsThatAreWholeMilliseconds() {
    assertThat(DurationFormat.parse("2.0ms")).contains(Duration.ofMillis(2));
    assertThat(DurationFormat.parse("0.0005m")).contains(Duration.ofMillis(30));
  }

  @Test
  void writesTheShortestForm() {
    assertThat(DurationFormat.format(Duration.ZERO)).isEqualTo("0s");
    assertThat(DurationFormat.format(Duration.ofMillis(1500))).isEqualTo("1500ms");
    assertThat(DurationFormat.format(Duration.ofSeconds(90))).isEqualTo("90s");
    assertThat(DurationFormat.format(Duration.ofMinutes(2))).isEqualTo("2m");
    assertThat(DurationFormat.format(Duration.ofHours(3))).isEqualTo("3h");
  }
}
