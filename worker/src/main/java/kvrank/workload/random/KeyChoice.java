package kvrank.workload.random;

/**
 * How the record of an operation is chosen.
 *
 * @param exponent of {@code zipfian} and {@code latest}, greater than 0
 * @param hotKeys the share of hot keys of {@code hotspot}, in (0, 1), or of the newest keys of
 *     {@code exponential}, in (0, 1]
 * @param hotOperations the share of operations on hot keys of {@code hotspot}, in [0, 1], or of the
 *     exponential distribution that falls on the newest keys, in (0, 1)
 */
public record KeyChoice(
    Distribution distribution, double exponent, double hotKeys, double hotOperations) {

  /** YCSB's exponent of its zipfian and latest distributions. */
  public static final double DEFAULT_EXPONENT = 0.99;

  public static KeyChoice of(Distribution distribution) {
    // As YCSB's defaults.
    return distribution == Distribution.EXPONENTIAL
        ? new KeyChoice(distribution, DEFAULT_EXPONENT, 0.8571428571, 0.95)
        : new KeyChoice(distribution, DEFAULT_EXPONENT, 0.2, 0.8);
  }
}
