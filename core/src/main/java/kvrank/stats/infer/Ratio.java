package kvrank.stats.infer;

/**
 * One value divided by another, with an interval, whose ends are NaN if there is none.
 *
 * @param confidence of the interval: at least 0.95, and higher if many pairs are tested
 */
public record Ratio(double value, double low, double high, double confidence) {

  public static final Ratio ONE = withoutInterval(1);

  public static Ratio withoutInterval(double value) {
    return new Ratio(value, Double.NaN, Double.NaN, Double.NaN);
  }

  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }
}
