package kvrank.results;

import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Latency;

/**
 * One operation of one phase.
 *
 * @param ok acknowledged records; for reads, found ones
 * @param errors other answers than these and {@code notFound}, by status
 * @param latencyNanos the latency of requests (of a whole batch, if there are batches)
 */
public record OperationRecord(
    long ok,
    long notFound,
    SortedMap<String, Long> errors,
    double throughput,
    Optional<Latency> latencyNanos) {

  public long errorTotal() {
    return errors.values().stream().mapToLong(Long::longValue).sum();
  }
}
