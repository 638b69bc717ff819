package kvrank.metric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectionTest {

  @ParameterizedTest
  @CsvSource({
    "HIGHER, 0.949, true, false",
    "HIGHER, 0.951, false, false",
    "HIGHER, 1.049, false, false",
    "HIGHER, 1.051, false, true",
    "LOWER, 0.949, false, true",
    "LOWER, 1.049, false, false",
    "LOWER, 1.051, true, false",
  })
  void aChangeOfMoreThanTheToleranceIsWorseOrBetter(
      Direction direction, double ratio, boolean worse, boolean better) {
    assertThat(direction.worse(ratio, 0.05)).isEqualTo(worse);
    assertThat(direction.better(ratio, 0.05)).isEqualTo(better);
  }
}
