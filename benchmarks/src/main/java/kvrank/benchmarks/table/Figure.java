package kvrank.benchmarks.table;

/**
 * What one side reached once.
 *
 * @param value in the unit of its {@link PeerBenchmark}
 * @param cpuMicros CPU time of the client process per operation, user and system, in microseconds;
 *     NaN where it has no meaning
 */
public record Figure(double value, double cpuMicros) {

  /** A throughput, of a client that kept {@code cores} busy. */
  public static Figure throughput(double perSecond, double cores) {
    return new Figure(perSecond, cores * 1e6 / perSecond);
  }

  /** A value that has nothing to do with CPU time. */
  public static Figure of(double value) {
    return new Figure(value, Double.NaN);
  }
}
