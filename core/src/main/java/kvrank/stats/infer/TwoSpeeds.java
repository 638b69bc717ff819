package kvrank.stats.infer;

import java.util.Arrays;
import org.apache.commons.math3.util.CombinatoricsUtils;

/**
 * What a machine of two speeds may do to a table. If each run is fast or slow by chance, some
 * engine of few repetitions has only fast runs and another only slow ones, and neither shows any
 * noise: they differ by the distance of the speeds. The other engines show that distance.
 */
final class TwoSpeeds {

  /** The logarithm of the ratio of the speeds that is supposed if no engine need show it. */
  private static final double SUPPOSED = Math.log(1.25);

  /** How much more than the estimated distance two speeds explain, since noise adds to it. */
  private static final double MARGIN = 1.4;

  private TwoSpeeds() {}

  /**
   * Returns the difference of two engines of {@code n} repetitions that two speeds explain; 0 if
   * they do so in at most a share {@code coincidence} of tables. An engine that is slow in one run
   * of n has a standard deviation of the distance over √n, and others have more. So this is √n
   * times the k-th largest of the engines, where at least k show both speeds, except for the same
   * share of reports or, if that leaves none, of tables.
   *
   * @param variances of the engines' values
   * @param tables the number of tables in the report
   */
  static double distance(double[] variances, int n, double coincidence, int tables) {
    int m = variances.length;
    int ofReport = showing(m, n, coincidence / tables);
    int k = ofReport > 0 ? ofReport : showing(m, n, coincidence);
    if (k == m) {
      return 0;
    }
    double[] sorted = variances.clone();
    Arrays.sort(sorted);
    double shown = Math.sqrt(n * sorted[m - Math.max(k, 1)]);
    return MARGIN * (k > 0 ? shown : Math.max(shown, SUPPOSED));
  }

  /** Returns the number of engines that show both speeds; {@code m} if no two others matter. */
  private static int showing(int m, int n, double coincidence) {
    int k = 0;
    while (k < m && hidden(m, n, k) <= coincidence) {
      k++;
    }
    return k;
  }

  /**
   * Returns the largest probability, for any share of slow runs, that at most {@code most} of
   * {@code m} engines show both speeds, and two of the others have different ones.
   */
  private static double hidden(int m, int n, int most) {
    double largest = 0;
    for (double share = 0.5; share > 0.075; share -= 0.05) {
      double slow = Math.pow(share, n);
      double fast = Math.pow(1 - share, n);
      double sum = 0;
      for (int x = 0; x <= Math.min(most, m - 2); x++) {
        double others =
            Math.pow(fast + slow, m - x) - Math.pow(fast, m - x) - Math.pow(slow, m - x);
        sum +=
            CombinatoricsUtils.binomialCoefficientDouble(m, x)
                * Math.pow(1 - fast - slow, x)
                * others;
      }
      largest = Math.max(largest, sum);
    }
    return largest;
  }
}
