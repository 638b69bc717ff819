package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MultipleTestingTest {

  /** The example of many textbooks: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R. */
  @Test
  void holmCorrectsAsPublished() {
    assertThat(MultipleTesting.holm(new double[] {0.01, 0.04, 0.03, 0.005}))
        .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
  }

  /** Demšar 2006, section 3.2.2: three classifiers against a control, of which none is rejected. */
  @Test
  void holmStopsAtTheFirstThatIsNotRejected() {
    double[] p = {0.019, 0.067, 0.942};
    assertThat(MultipleTesting.holmLevels(p, 0.05)).containsOnly(0.05 / 3);
    double[] rejected = {0.016, 0.067, 0.942};
    assertThat(MultipleTesting.holmLevels(rejected, 0.05))
        .containsExactly(new double[] {0.05 / 3, 0.025, 0.025}, within(1e-12));
  }

  @Test
  void levelsAndCorrectedValuesAgree() {
    double[] p = {0.01, 0.04, 0.03, 0.005, 0.012, 0.2};
    double[] levels = MultipleTesting.holmLevels(p, 0.05);
    double[] corrected = MultipleTesting.holm(p);
    for (int i = 0; i < p.length; i++) {
      assertThat(p[i] <= levels[i]).isEqualTo(corrected[i] <= 0.05);
    }
  }

  /** Benjamini and Hochberg 1995, section 4.1: of 15 p-values the smallest four are rejected. */
  @Test
  void falseDiscoveryRateAsPublished() {
    double[] p = {
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.0
    };
    assertThat(MultipleTesting.falseDiscoveryLevel(p, 0.05))
        .isCloseTo(0.05 * 4 / 15, within(1e-12));
    assertThat(MultipleTesting.falseDiscoveryLevel(new double[] {0.5, 0.04}, 0.05))
        .isEqualTo(0.025);
    assertThat(MultipleTesting.falseDiscoveryLevel(new double[0], 0.05)).isEqualTo(0.05);
  }
}
