package kvrank.report.chart;

/**
 * A value with its interval.
 *
 * @param low the interval's lower end; NaN if there is none
 * @param high the interval's upper end; NaN if there is none
 */
public record Measure(double value, double low, double high) {

  /** A value without an interval. */
  public static Measure of(double value) {
    return new Measure(value, Double.NaN, Double.NaN);
  }

  /** Whether there is an interval that is more than a point. */
  public boolean hasInterval() {
    return low < high;
  }

  /** The lowest value that is drawn. */
  public double least() {
    return hasInterval() ? Math.min(low, value) : value;
  }

  /** The highest value that is drawn. */
  public double most() {
    return hasInterval() ? Math.max(high, value) : value;
  }
}
