package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlphaSpendingTest {

  private static double[] spent(int first, int last, double alpha) {
    return IntStream.rangeClosed(first, last).mapToDouble(n -> alpha * n / last).toArray();
  }

  /** By SciPy's integral of the multivariate normal distribution. */
  @Test
  void levelsSpendWhatTheyMay() {
    assertThat(AlphaSpending.levels(1, spent(1, 5, 0.05)))
        .containsExactly(
            new double[] {0.0100000, 0.0127037, 0.0159165, 0.0193281, 0.0228753}, within(2e-6));
    assertThat(AlphaSpending.levels(3, spent(3, 6, 0.05)))
        .containsExactly(new double[] {0.0250000, 0.0186189, 0.0202361, 0.0226952}, within(2e-6));
  }

  /** One look has the level itself, and looks without anything to spend reject nothing. */
  @Test
  void oneLookSpendsAll() {
    assertThat(AlphaSpending.levels(5, new double[] {0.05})[0]).isCloseTo(0.05, within(1e-9));
    double[] last = AlphaSpending.levels(3, new double[] {0, 0, 0.05});
    assertThat(last[0]).isZero();
    assertThat(last[1]).isZero();
    assertThat(last[2]).isCloseTo(0.05, within(1e-6));
  }

  @Test
  void smallLevelsOfManyPairsAreExactToo() {
    double[] one = AlphaSpending.levels(3, spent(3, 20, 0.05));
    double[] of66 = AlphaSpending.levels(3, spent(3, 20, 0.05 / 66));
    assertThat(of66[0] * 66).isCloseTo(one[0], within(1e-8));
    // The further out, the less do the looks depend on each other.
    assertThat(of66[17] * 66).isBetween(0.5 * one[17], one[17]);
  }
}
