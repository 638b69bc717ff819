package kvrank.stats.infer;

/**
 * The smallest ratio of two engines that four of five tables detect, known before measuring. It is
 * simulated: with few blocks and many engines no formula comes close.
 */
public final class DetectableRatio {

  private static final int[] REPETITIONS = {3, 4, 5, 6, 7, 10, 20};

  /**
   * The number of engines, then for each of {@link #REPETITIONS} the logarithm of the ratio in
   * standard deviations of the logarithms of one engine's runs. From 1,500 tables or more of
   * lognormal noise each; the test class {@code ValidationPage} prints them.
   */
  private static final double[][] DEVIATIONS = {
    {2, 3.78, 2.67, 2.22, 1.96, 1.75, 1.43, 0.96},
    {3, 4.85, 3.50, 2.94, 2.47, 2.18, 1.73, 1.13},
    {4, 5.02, 3.76, 3.14, 2.70, 2.44, 1.87, 1.21},
    {5, 5.09, 3.97, 3.27, 2.79, 2.57, 1.98, 1.27},
    {6, 5.21, 4.08, 3.42, 2.94, 2.59, 2.00, 1.32},
    {8, 5.36, 4.24, 3.57, 3.07, 2.71, 2.11, 1.40},
    {10, 5.45, 4.43, 3.65, 3.18, 2.86, 2.21, 1.42},
    {12, 5.69, 4.44, 3.77, 3.30, 2.91, 2.23, 1.46},
    {16, 5.59, 4.72, 3.91, 3.38, 3.02, 2.40, 1.52},
  };

  private DetectableRatio() {}

  /**
   * Returns the ratio if values are tested after every repetition up to {@code atMost}. As
   * simulated for 3 to 5, 10 and 20 repetitions of 2, 3 and 5 engines, its logarithm is within 10 %
   * at the first test and the last, and up to 30 % too large between them.
   */
  public static double looked(int engines, int repetitions, int atMost, double noise) {
    return of(engines, repetitions, noise * (1.1 + 0.024 * (atMost - repetitions)));
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
