package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {

  @Test
  void isTheMedianAndTheRangeOfTheRepetitions() {
    assertThat(Estimate.of(List.of(3.0, 1.0, 10.0))).isEqualTo(new Estimate(3, 3, 1, 10));
    assertThat(Estimate.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Estimate(4, 3, 1, 9));
  }

  @Test
  void oneRepetitionHasNoInterval() {
    Estimate single = Estimate.of(List.of(5.0));
    assertThat(single).isEqualTo(new Estimate(1, 5, Double.NaN, Double.NaN));
    assertThat(single.hasInterval()).isFalse();
    assertThat(single.overlaps(new Estimate(3, 4, 1, 9))).isFalse();
    assertThat(new Estimate(3, 4, 1, 9).overlaps(single)).isFalse();
  }

  @Test
  void equalValuesCannotBeSeparated() {
    assertThat(Estimate.of(List.of(0.0)).overlaps(Estimate.of(List.of(0.0)))).isTrue();
  }

  @Test
  void intervalsThatTouchOverlap() {
    Estimate low = new Estimate(3, 2, 1, 3);
    assertThat(low.overlaps(new Estimate(3, 4, 3, 5))).isTrue();
    assertThat(low.overlaps(new Estimate(3, 4, 3.1, 5))).isFalse();
  }

  @Test
  void needsASample() {
    assertThatThrownBy(() -> Estimate.of(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
