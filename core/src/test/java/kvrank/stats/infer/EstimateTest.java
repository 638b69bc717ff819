package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {

  @Test
  void isTheGeometricMeanOfTheRepetitions() {
    assertThat(Estimate.of(List.of(2.0, 1.0, 4.0)).value()).isCloseTo(2, within(1e-12));
    assertThat(Estimate.of(List.of(3.0, 1.0, 10.0)).values()).containsExactly(1.0, 3.0, 10.0);
    assertThat(Estimate.ofCounts(List.of(4.0, 1.0, 2.0, 9.0)).value()).isEqualTo(3);
  }

  @Test
  void theIntervalIsStudentsOnTheLogarithms() {
    // By hand: the logarithms 0, 1, 2 have s = 1; t(2; 0.975) = 4.302653.
    Estimate estimate = Estimate.of(List.of(1.0, Math.E, Math.E * Math.E));
    double half = 4.302653 / Math.sqrt(3);
    assertThat(Math.log(estimate.low())).isCloseTo(1 - half, within(1e-5));
    assertThat(Math.log(estimate.high())).isCloseTo(1 + half, within(1e-5));
  }

  @Test
  void oneRepetitionOrTwoHaveNoInterval() {
    Estimate single = Estimate.of(List.of(5.0));
    assertThat(single.value()).isEqualTo(5);
    assertThat(single.hasInterval()).isFalse();
    assertThat(Estimate.of(List.of(5.0, 5.1)).hasInterval()).isFalse();
    assertThat(Estimate.of(List.of(5.0, 5.1, 5.2)).hasInterval()).isTrue();
  }

  @Test
  void countsHaveNoInterval() {
    assertThat(Estimate.ofCounts(List.of(3.0, 1.0, 2.0)).hasInterval()).isFalse();
  }

  @Test
  void doesNotDependOnTheOrderOrTheUnit() {
    Estimate estimate = Estimate.of(List.of(3.0, 1.0, 10.0));
    assertThat(Estimate.of(List.of(10.0, 3.0, 1.0))).isEqualTo(estimate);
    Estimate thousandfold = Estimate.of(List.of(3000.0, 1000.0, 10_000.0));
    assertThat(thousandfold.low()).isCloseTo(1000 * estimate.low(), within(1e-9));
    assertThat(thousandfold.high()).isCloseTo(1000 * estimate.high(), within(1e-6));
  }

  @Test
  void equalRepetitionsAreNotMoreExactThanTheHistogram() {
    Estimate equal = Estimate.of(List.of(50_000.0, 50_000.0, 50_000.0));
    assertThat(equal.low()).isLessThan(50_000).isGreaterThan(49_800);
    assertThat(equal.high()).isGreaterThan(50_000).isLessThan(50_200);
  }

  @Test
  void needsASample() {
    assertThatThrownBy(() -> Estimate.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
