package kvrank.workload.random;

/**
 * Which of the records an operation is for.
 *
 * @param distribution the shape of the choice
 * @param exponent the exponent of {@code zipfian} and {@code latest}, greater than 0; ignored
 *     otherwise
 * @param hotKeys {@code hotspot}: the share of the keys that is hot, in (0, 1)
 * @param hotOperations {@code hotspot}: the share of operations that hit a hot key, in (0, 1)
 */
public record KeyChoice(
    Distribution distribution, double exponent, double hotKeys, double hotOperations) {

  /** YCSB's exponent of its zipfian and latest distributions. */
  public static final double DEFAULT_EXPONENT = 0.99;

  /** {@code distribution} with the default parameters. */
  public static KeyChoice of(Distribution distribution) {
    return new KeyChoice(distribution, DEFAULT_EXPONENT, 0.2, 0.8);
  }
}
