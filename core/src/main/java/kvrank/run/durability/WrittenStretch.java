package kvrank.run.durability;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The writes of a stretch of time, and the device's flushes in it.
 *
 * @param seconds the time during which the device was watched
 * @param missed the share of the stretch before that
 * @param hindrance the reason why flushes are not counted or irrelevant; may be empty
 * @param writes acknowledged write requests; a batch is one
 * @param inFlight the maximum number of waiting requests
 * @param latency the fastest kind of write; empty if there are too few
 * @param writtenBytes written by the engine's process to the storage layer
 * @param othersWaited the share of the time in which others waited for a disk; NaN if unknown
 */
public record WrittenStretch(
    double seconds,
    double missed,
    OptionalLong flushes,
    String hindrance,
    long writes,
    long inFlight,
    Optional<WriteLatency> latency,
    long writtenBytes,
    double othersWaited) {

  /** The 10th and 50th percentiles of writes' latencies from sending, in nanoseconds. */
  public record WriteLatency(long p10, long p50) {}
}
