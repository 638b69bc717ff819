package kvrank.workload;

/**
 * Zipf's distribution over the ranks [0, size): rank {@code r} has a probability proportional to
 * {@code (r + 1)^-exponent}.
 *
 * <p>Rejection-inversion sampling (Hörmann & Derflinger, "Rejection-inversion to generate variates
 * from monotone discrete distributions", TOMACS 6(3), 1996): constant time and memory for any
 * exponent above 0, 1 included, and for any size, which may change between draws.
 */
final class Zipf {

  /** Nearer to 1 than this, an exponent is taken for 1: shares differ by less than 10^-5. */
  private static final double ONE = 1e-7;

  private final double exponent;
  private final double complement;
  private final boolean logarithmic;

  /** How far above the inverse a rank may be and still be accepted without evaluating the test. */
  private final double squeeze;

  private final double lower;
  private long size;
  private double upper;

  Zipf(double exponent) {
    if (!(exponent > 0)) {
      throw new IllegalArgumentException("exponent is " + exponent + ", not greater than 0");
    }
    this.exponent = exponent;
    this.complement = 1 - exponent;
    this.logarithmic = Math.abs(complement) < ONE;
    this.lower = integral(1.5) - 1;
    this.squeeze = 2 - inverse(integral(2.5) - density(2));
  }

  /**
   * One rank.
   *
   * @param ranks the number of ranks, at least 1
   */
  long sample(CounterRandom random, long ranks) {
    if (ranks != size) {
      size = ranks;
      upper = integral(ranks + 0.5);
    }
    while (true) {
      double u = upper + random.nextDouble() * (lower - upper);
      double x = inverse(u);
      long rank = Math.min(Math.max((long) (x + 0.5), 1), size);
      if (rank - x <= squeeze || u >= integral(rank + 0.5) - density((double) rank)) {
        return rank - 1;
      }
    }
  }

  private double density(double x) {
    return Math.exp(-exponent * Math.log(x));
  }

  /** An antiderivative of {@link #density}. */
  private double integral(double x) {
    double logarithm = Math.log(x);
    return logarithmic ? logarithm : Math.exp(complement * logarithm) / complement;
  }

  private double inverse(double y) {
    return Math.exp(logarithmic ? y : Math.log(y * complement) / complement);
  }
}
