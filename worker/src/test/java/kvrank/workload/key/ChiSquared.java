package kvrank.workload.key;

/** Pearson's test of observed counts against a distribution. */
public final class ChiSquared {

  private ChiSquared() {}

  /**
   * The statistic, as a number of standard deviations from its mean by Wilson and Hilferty's
   * approximation; a sound generator stays under 4.
   *
   * @param probabilities the probability of each class; they add up to 1
   */
  public static double deviation(long[] observed, double[] probabilities) {
    long draws = 0;
    for (long count : observed) {
      draws += count;
    }
    double statistic = 0;
    for (int i = 0; i < observed.length; i++) {
      double expected = draws * probabilities[i];
      statistic += (observed[i] - expected) * (observed[i] - expected) / expected;
    }
    double freedom = observed.length - 1.0;
    double variance = 2 / (9 * freedom);
    return (Math.cbrt(statistic / freedom) - (1 - variance)) / Math.sqrt(variance);
  }

  /** The probabilities of Zipf's distribution, from its definition. */
  public static double[] zipf(int size, double exponent) {
    double[] probabilities = new double[size];
    double sum = 0;
    for (int rank = size - 1; rank >= 0; rank--) {
      probabilities[rank] = Math.pow(rank + 1, -exponent);
      sum += probabilities[rank];
    }
    for (int rank = 0; rank < size; rank++) {
      probabilities[rank] /= sum;
    }
    return probabilities;
  }
}
