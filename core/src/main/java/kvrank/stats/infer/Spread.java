package kvrank.stats.infer;

/**
 * How much executions of the same code differ: the variance of the logarithm of a value.
 *
 * @param degrees of freedom of the variance; infinite if it is stated, 0 if nothing shows it
 */
public record Spread(double variance, double degrees) {

  /** How many degrees of freedom a stated variance has beside one that executions show. */
  private static final double PRIOR_DEGREES = 4;

  /** Returns the spread with the standard deviation {@code deviation}. */
  public static Spread stated(double deviation) {
    return new Spread(deviation * deviation, Double.POSITIVE_INFINITY);
  }

  /** Returns the same with this spread as {@code own}. */
  public Spread steadied(Spread stated) {
    return steadied(stated, this);
  }

  /**
   * Returns this spread, steadied by {@code stated}, since few executions tell little (as in G. K.
   * Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004); at least {@code
   * own}.
   */
  public Spread steadied(Spread stated, Spread own) {
    double sum = degrees + PRIOR_DEGREES;
    double pooled = (degrees * variance + PRIOR_DEGREES * stated.variance) / sum;
    return own.variance > pooled ? own : new Spread(pooled, sum);
  }

  /**
   * Returns the test {@code within}, which has the noise of repetitions, with {@code times} this
   * variance added.
   *
   * @param weight the share of the level that the test has
   */
  public PairInference widen(PairInference within, double times, double weight) {
    return within.widened(variance * times, degrees, weight);
  }
}
