package kvrank.benchmarks;

/**
 * What one side reached once.
 *
 * @param value in the unit of its {@link Contest}
 * @param cpuMicros CPU time of the client process per operation, user and system, in microseconds;
 *     NaN where it has no meaning
 */
record Measurement(double value, double cpuMicros) {

  /** A throughput, of a client that kept {@code cores} busy. */
  static Measurement throughput(double perSecond, double cores) {
    return new Measurement(perSecond, cores * 1e6 / perSecond);
  }

  /** A value that has nothing to do with CPU time. */
  static Measurement of(double value) {
    return new Measurement(value, Double.NaN);
  }
}
