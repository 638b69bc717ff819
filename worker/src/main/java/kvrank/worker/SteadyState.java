package kvrank.worker;

import java.util.Arrays;

/**
 * Whether throughput held its level over the measured stretch.
 *
 * <p>Not steady is a stretch whose last third had over 10 % more or less throughput than its first
 * third <em>and</em> whose windows have a trend that is significant at 5 % (two-sided) by the test
 * of Mann (Econometrica 13, 1945) and Kendall ("Rank Correlation Methods", 1975), with the variance
 * for ties and the continuity correction. Either alone is no reason: the first may be noise, and a
 * trend of 1 % is significant in a long quiet run.
 *
 * @param verdict what is said
 * @param drift throughput of the last third over that of the first, 1 for none; NaN if unknown
 */
record SteadyState(Steadiness verdict, double drift) {

  /** The fewest windows that can carry a verdict. */
  static final int FEWEST = 20;

  private static final double TOLERATED = 0.1;

  /** The 97.5 % quantile of the standard normal distribution. */
  private static final double SIGNIFICANT = 1.959964;

  /**
   * The verdict on a stretch.
   *
   * @param counts what was done in each of its windows, which are of equal length
   */
  static SteadyState of(long[] counts) {
    int third = counts.length / 3;
    double first = Arrays.stream(counts).limit(third).sum();
    double last = Arrays.stream(counts).skip(counts.length - third).sum();
    if (counts.length < FEWEST || first == 0) {
      return new SteadyState(Steadiness.UNKNOWN, Double.NaN);
    }
    double drift = last / first;
    boolean moved = Math.abs(drift - 1) > TOLERATED;
    boolean trend = Math.abs(mannKendall(counts)) > SIGNIFICANT;
    return new SteadyState(moved && trend ? Steadiness.NO : Steadiness.YES, drift);
  }

  /**
   * The statistic of the Mann–Kendall test: standard normal for values in no order, if there are
   * ten or more; greater than 0 for values that rise.
   */
  static double mannKendall(long[] values) {
    int n = values.length;
    long s = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        s += Long.signum(values[j] - values[i]);
      }
    }
    double variance = (pairs(n) - tied(values)) / 18;
    return variance == 0 ? 0 : (s - Long.signum(s)) / Math.sqrt(variance);
  }

  private static double tied(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    double sum = 0;
    int start = 0;
    for (int i = 1; i <= sorted.length; i++) {
      if (i == sorted.length || sorted[i] != sorted[start]) {
        sum += pairs(i - start);
        start = i;
      }
    }
    return sum;
  }

  private static double pairs(double n) {
    return n * (n - 1) * (2 * n + 5);
  }
}
