package kvrank.metric;

import java.util.OptionalLong;

/**
 * The latency distribution of {@code count} requests, in nanoseconds. A percentile is empty if
 * fewer than {@link #BEYOND} requests are beyond it.
 */
public record Latency(
    long count,
    double mean,
    double stddev,
    long min,
    OptionalLong p50,
    OptionalLong p90,
    OptionalLong p95,
    OptionalLong p99,
    OptionalLong p999,
    OptionalLong p9999,
    long max) {

  /** The fewest requests beyond a percentile. */
  public static final int BEYOND = 10;
}
