package kvrank.results;

import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Latency;

/**
 * One operation of one phase.
 *
 * @param ok records that were acknowledged and, for reads, found
 * @param notFound records that were answered to be missing
 * @param errors all others, by status
 * @param latencyNanos the latency of requests (of a whole batch, where there is one)
 */
public record OperationRecord(
    long ok,
    long notFound,
    SortedMap<String, Long> errors,
    double throughput,
    Optional<Latency> latencyNanos) {

  /** Returns the number of errors of every kind. */
  public long errorTotal() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }
}
