package kvrank.workload.random;

/**
 * How the record of an operation is chosen.
 *
 * @param exponent of {@code zipfian} and {@code latest}, greater than 0
 * @param hotKeys the share of hot keys of {@code hotspot}, in (0, 1)
 * @param hotOperations the share of operations on hot keys of {@code hotspot}, in (0, 1)
 */
public record KeyChoice(
    Distribution distribution, double exponent, double hotKeys, double hotOperations) {

  /** YCSB's exponent of its zipfian and latest distributions. */
  public static final double DEFAULT_EXPONENT = 0.99;

  public static KeyChoice of(Distribution distribution) {
    return new KeyChoice(distribution, DEFAULT_EXPONENT, 0.2, 0.8);
  }
}
