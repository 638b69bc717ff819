package kvrank.stats.infer;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleBinaryOperator;
import org.apache.commons.math3.distribution.BinomialDistribution;
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

  /** The few shapes that the tables of a report have. */
  private static final Map<Shape, Integer> SHOWING = new ConcurrentHashMap<>();

  private TwoSpeeds() {}

  private record Shape(int engines, int repetitions, double coincidence, int tables) {}

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
    int k =
        SHOWING.computeIfAbsent(
            new Shape(m, n, coincidence, tables),
            any -> {
              int ofReport = showing(m, n, coincidence / tables);
              return ofReport > 0 ? ofReport : showing(m, n, coincidence);
            });
    return k == m ? 0 : explained(Arrays.stream(variances).map(each -> n * each).toArray(), k);
  }

  /**
   * Returns the same for a report whose tables are too small to show two speeds each, from the
   * engines of all tables; 0 if each table shows enough.
   *
   * @param squares the variance of each engine of each table, times n
   * @param m the number of engines in a table
   */
  static double ofReport(double[] squares, int m, int n, double coincidence, int tables) {
    if (showing(m, n, coincidence / tables) > 0) {
      return 0;
    }
    int k = 0;
    for (int above = squares.length; k < above; ) {
      int middle = (k + above) / 2;
      if (hidden(squares.length - 2, m, n, middle, tables) <= coincidence) {
        k = middle + 1;
      } else {
        above = middle;
      }
    }
    return explained(squares, k);
  }

  /** Returns the difference that the {@code k} largest of {@code squares} explain. */
  private static double explained(double[] squares, int k) {
    double[] sorted = squares.clone();
    Arrays.sort(sorted);
    double shown = Math.sqrt(sorted[squares.length - Math.max(k, 1)]);
    return MARGIN * (k > 0 ? shown : Math.max(shown, SUPPOSED));
  }

  /**
   * Returns the largest probability, for any share of slow runs, that two engines of one of {@code
   * tables} tables have different speeds, and at most {@code most} of {@code others} show both.
   */
  private static double hidden(int others, int m, int n, int most, int tables) {
    return largest(
        (slow, fast) -> {
          double table =
              1 - Math.pow(1 - slow, m) - Math.pow(1 - fast, m) + Math.pow(1 - slow - fast, m);
          return Math.min(1, tables * table)
              * new BinomialDistribution(null, others, 1 - slow - fast).cumulativeProbability(most);
        },
        n);
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
    return largest(
        (slow, fast) -> {
          double sum = 0;
          for (int x = 0; x <= Math.min(most, m - 2); x++) {
            double others =
                Math.pow(fast + slow, m - x) - Math.pow(fast, m - x) - Math.pow(slow, m - x);
            sum +=
                CombinatoricsUtils.binomialCoefficientDouble(m, x)
                    * Math.pow(1 - fast - slow, x)
                    * others;
          }
          return sum;
        },
        n);
  }

  /** Returns the largest value of {@code ofUnanimous}: of n runs that are all slow, or all fast. */
  private static double largest(DoubleBinaryOperator ofUnanimous, int n) {
    double largest = 0;
    for (double share = 0.5; share > 0.075; share -= 0.05) {
      double probability = ofUnanimous.applyAsDouble(Math.pow(share, n), Math.pow(1 - share, n));
      largest = Math.max(largest, probability);
    }
    return largest;
  }
}
