package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MedianVarianceTest {

  /** The ratio of the standard errors of median and mean, by Hojo (1931). */
  @Test
  void isAsPublished() {
    assertThat(relative(2)).isCloseTo(1.000, within(0.001));
    assertThat(relative(3)).isCloseTo(1.160, within(0.001));
    assertThat(relative(4)).isCloseTo(1.092, within(0.001));
    assertThat(relative(5)).isCloseTo(1.198, within(0.001));
    assertThat(relative(7)).isCloseTo(1.214, within(0.001));
  }

  private static double relative(int n) {
    return Math.sqrt(n * Estimate.medianVariance(n));
  }

  @Test
  void isThatOfSimulatedMedians() {
    Random random = new Random(1);
    for (int n : new int[] {2, 3, 4, 6, 10, 19, 20, 21, 30}) {
      double sum = 0;
      int medians = 40_000;
      for (int i = 0; i < medians; i++) {
        double[] values = random.doubles(n).map(u -> random.nextGaussian()).sorted().toArray();
        double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
        sum += median * median;
      }
      assertThat(Estimate.medianVariance(n) / (sum / medians)).as("n=" + n).isBetween(0.98, 1.045);
    }
  }

  @Test
  void fallsWithTheNumber() {
    double[] variances = new double[50];
    Arrays.setAll(variances, i -> Estimate.medianVariance(i + 1));
    for (int i = 1; i < variances.length; i++) {
      assertThat(variances[i]).isLessThan(variances[i - 1]);
    }
  }
}
