package kvrank.stats;

import kvrank.results.Results;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * What a table will show, before it is measured: the smallest ratio of two engines that is found in
 * four of five tables. Simulated, since with few blocks and many engines no formula is near.
 */
public final class DetectableRatio {

  private static final int[] REPETITIONS = {3, 4, 5, 6, 7, 10, 20};

  /**
   * The logarithm of that ratio in standard deviations of the logarithms of one engine's runs, by
   * these repetitions; before it how many engines the table has. 5,000 tables of lognormal noise
   * each, printed by {@code SimulationTables} of the tests.
   */
  private static final double[][] DEVIATIONS = {
    {2, 3.95, 2.72, 2.22, 1.93, 1.75, 1.40, 0.95},
    {3, 5.12, 3.56, 2.78, 2.38, 2.13, 1.65, 1.11},
    {4, 6.07, 3.93, 3.19, 2.65, 2.33, 1.83, 1.21},
    {5, 6.65, 4.26, 3.48, 2.88, 2.51, 1.93, 1.28},
    {6, 7.37, 4.45, 3.69, 3.04, 2.63, 2.03, 1.31},
    {8, 8.43, 4.98, 3.78, 3.37, 2.84, 2.15, 1.39},
    {10, 9.52, 5.39, 4.04, 3.53, 3.02, 2.26, 1.44},
    {12, 10.30, 5.75, 4.22, 3.45, 3.18, 2.33, 1.47},
    {16, 12.16, 6.27, 4.58, 3.70, 3.41, 2.48, 1.54},
  };

  /** What counts of needed repetitions go up to. */
  public static final int MOST = 1000;

  private DetectableRatio() {}

  /**
   * Returns the noise of earlier results: the median over engines and phases, the load aside, of
   * the standard deviations of the logarithms of throughputs. NaN without three repetitions.
   */
  public static double noise(Results earlier) {
    double[] deviations =
        Rankings.throughputs(earlier).stream()
            .flatMap(ranking -> ranking.standings().stream())
            .map(each -> each.estimate().values().stream().mapToDouble(Math::log).toArray())
            .filter(logs -> logs.length >= Estimate.FEWEST)
            .mapToDouble(logs -> Math.sqrt(StatUtils.variance(logs)))
            .toArray();
    return new Median().evaluate(deviations);
  }

  /**
   * Returns that ratio where the values are looked at after every repetition up to {@code atMost},
   * for the first looks and the last: simulated with 3 to 5 and with 10 and 20 repetitions of 2, 3
   * and 5 engines, where its logarithm is off by a tenth at most.
   */
  public static double looked(int engines, int repetitions, int atMost, double noise) {
    int n = engines == 2 ? Math.max(repetitions, SequentialPlan.FIRST_OF_TWO) : repetitions;
    return of(engines, n, noise * (1.1 + 0.024 * (atMost - n)));
  }

  /** Returns how many repetitions show {@code ratio}, 1,000 if as many do not. */
  public static int needed(int engines, double ratio, double noise) {
    int n = REPETITIONS[0];
    while (n < MOST && of(engines, n, noise) > ratio) {
      n++;
    }
    return n;
  }

  /**
   * Returns that ratio, above 1; NaN with fewer than three repetitions. For numbers between those
   * that were simulated it is that of the next harder ones.
   *
   * @param engines how many the table has; beyond 16 it is the ratio of 16
   * @param noise the standard deviation of the logarithms of an engine's runs
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
