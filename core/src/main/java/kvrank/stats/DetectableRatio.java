package kvrank.stats;

import kvrank.results.ExecutionResults;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.SequentialPlan;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * The smallest ratio of two engines that four of five tables detect, known before measuring. It is
 * simulated: with few blocks and many engines no formula comes close.
 */
public final class DetectableRatio {

  private static final int[] REPETITIONS = {3, 4, 5, 6, 7, 10, 20};

  /**
   * The number of engines, then for each of {@link #REPETITIONS} the logarithm of the ratio in
   * standard deviations of the logarithms of one engine's runs. From 5,000 tables of lognormal
   * noise each; the test class {@code ValidationPage} prints them.
   */
  private static final double[][] DEVIATIONS = {
    {2, 3.94, 2.69, 2.24, 1.92, 1.77, 1.39, 0.96},
    {3, 4.82, 3.53, 2.75, 2.37, 2.11, 1.65, 1.11},
    {4, 5.21, 3.64, 3.08, 2.63, 2.34, 1.81, 1.19},
    {5, 5.64, 3.81, 3.34, 2.80, 2.49, 1.91, 1.25},
    {6, 6.00, 3.88, 3.47, 2.94, 2.60, 1.99, 1.30},
    {8, 6.53, 4.08, 3.21, 3.09, 2.76, 2.14, 1.39},
    {10, 7.05, 4.25, 3.36, 3.23, 2.89, 2.22, 1.44},
    {12, 7.40, 4.31, 3.36, 2.95, 2.91, 2.27, 1.48},
    {16, 7.88, 4.49, 3.49, 3.03, 2.99, 2.37, 1.54},
  };

  private DetectableRatio() {}

  /**
   * Returns the noise of earlier results: the median, over engines and phases without the load, of
   * the standard deviations of log throughput. NaN with fewer than three repetitions.
   */
  public static double noise(ExecutionResults earlier) {
    double[] deviations =
        Rankings.untested(earlier).stream()
            .flatMap(ranking -> ranking.standings().stream())
            .map(standing -> standing.estimate().values().stream().mapToDouble(Math::log).toArray())
            .filter(logs -> logs.length >= Estimate.FEWEST)
            .mapToDouble(logs -> Math.sqrt(StatUtils.variance(logs)))
            .toArray();
    return new Median().evaluate(deviations);
  }

  /**
   * Returns the ratio if values are tested after every repetition up to {@code atMost}. As
   * simulated for 3 to 5, 10 and 20 repetitions of 2, 3 and 5 engines, its logarithm is within 10 %
   * at the first test and the last, and up to 30 % too large between them. NaN for three
   * repetitions of two engines, which are not tested.
   */
  public static double looked(int engines, int repetitions, int atMost, double noise) {
    return engines == 2 && repetitions < SequentialPlan.FIRST_OF_TWO
        ? Double.NaN
        : of(engines, repetitions, noise * (1.1 + 0.024 * (atMost - repetitions)));
  }

  /** Returns the number of repetitions that detect {@code ratio}, at most 1,000. */
  public static int needed(int engines, double ratio, double noise) {
    int n = REPETITIONS[0];
    while (n < Estimate.MOST_NEEDED && of(engines, n, noise) > ratio) {
      n++;
    }
    return n;
  }

  /**
   * Returns the ratio, above 1; NaN with fewer than three repetitions. Numbers that were not
   * simulated use the next harder ones; more than 16 engines use 16. {@code noise} is the standard
   * deviation of the logarithms of an engine's runs.
   */
  public static double of(int engines, int repetitions, double noise) {
    int n = REPETITIONS.length - 1;
    while (n >= 0 && REPETITIONS[n] > repetitions) {
      n--;
    }
    int row = 0;
    while (row < DEVIATIONS.length - 1 && DEVIATIONS[row][0] < engines) {
      row++;
    }
    return n < 0
        ? Double.NaN
        : Math.exp(
            noise * DEVIATIONS[row][n + 1] * Math.sqrt((double) REPETITIONS[n] / repetitions));
  }
}
