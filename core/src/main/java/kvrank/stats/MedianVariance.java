package kvrank.stats;

import java.util.List;

/**
 * The variance of the median of n independent standard normal values; of an even n the median is
 * the mean of the middle two.
 *
 * <p>Up to 20 by numerical integration of the density of the median (T. Hojo, "Distribution of the
 * median, quartiles and interquartile distance in samples from a normal population", Biometrika 23,
 * 1931, gives them to four digits). Beyond that the limit π/(2n), which is at most 2 % too large.
 */
final class MedianVariance {

  private static final List<Double> EXACT =
      List.of(
          1.0, 0.5, 0.448671, 0.298396, 0.286834, 0.215178, 0.210447, 0.168869, 0.166101, 0.139273,
          0.137162, 0.118723, 0.116799, 0.103636, 0.101695, 0.092105, 0.090047, 0.08302, 0.080791,
          0.07569);

  private MedianVariance() {}

  static double of(int n) {
    return n <= EXACT.size() ? EXACT.get(n - 1) : Math.PI / 2 / n;
  }
}
