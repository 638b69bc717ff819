package kvrank.metric;

import java.util.OptionalLong;

/**
 * A latency distribution in nanoseconds. A percentile is empty where the sample does not support
 * it.
 */
public interface LatencySummary {

  /** The number of requests. */
  long count();

  double mean();

  long min();

  OptionalLong p50();

  OptionalLong p90();

  OptionalLong p95();

  OptionalLong p99();

  OptionalLong p999();

  OptionalLong p9999();

  long max();
}
