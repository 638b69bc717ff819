package kvrank.stats;

import java.util.Collection;

/**
 * What the repetitions say of one value. The sample is the repetition, never the operation.
 *
 * @param samples the number of repetitions
 * @param value the median of the repetitions
 * @param low the lower end of the interval; NaN if there is none
 * @param high the upper end of the interval; NaN if there is none
 */
public record Estimate(long samples, double value, double low, double high) {

  /**
   * The median of {@code samples} with their whole range as the interval; one sample has no
   * interval.
   *
   * @throws IllegalArgumentException if there is no sample
   */
  public static Estimate of(Collection<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no sample");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int n = sorted.length;
    double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    return n == 1
        ? new Estimate(1, median, Double.NaN, Double.NaN)
        : new Estimate(n, median, sorted[0], sorted[n - 1]);
  }

  /** Whether there is an interval: not with one repetition. */
  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }

  /**
   * Whether the data cannot separate this from {@code other}: the intervals overlap, or the values
   * are equal.
   */
  public boolean overlaps(Estimate other) {
    if (value == other.value) {
      return true;
    }
    return hasInterval() && other.hasInterval() && low <= other.high && other.low <= high;
  }
}
