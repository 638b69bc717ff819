package kvrank.stats;

/**
 * How one value stands to another, with an interval.
 *
 * @param value the one divided by the other; NaN if that is no number
 * @param low the lower end of the interval; NaN if there is none
 * @param high the upper end of the interval; NaN if there is none
 * @param confidence the level of the interval: at least 0.95, more where many are looked at
 */
public record Ratio(double value, double low, double high, double confidence) {

  /** The ratio of a value to itself. */
  static final Ratio ONE = withoutInterval(1);

  static Ratio withoutInterval(double value) {
    return new Ratio(value, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Whether the data can carry an interval. */
  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }
}
