package kvrank.stats;

/**
 * One value divided by another, with an interval, whose ends are NaN if there is none.
 *
 * @param confidence the level of the interval: at least 0.95, more where many are looked at
 */
public record Ratio(double value, double low, double high, double confidence) {

  static final Ratio ONE = withoutInterval(1);

  static Ratio withoutInterval(double value) {
    return new Ratio(value, Double.NaN, Double.NaN, Double.NaN);
  }

  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }
}
