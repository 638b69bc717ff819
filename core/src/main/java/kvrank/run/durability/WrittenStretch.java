package kvrank.run.durability;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stretch of time as durability is judged by it: what was written, and what the device did.
 *
 * @param seconds how long the device was watched
 * @param missed the share of the stretch that was over by then
 * @param flushes the flushes that it completed meanwhile; empty if they cannot be counted
 * @param hindrance why they cannot be counted or say nothing of the engine; empty if they do
 * @param writes acknowledged write requests; a batch is one
 * @param inFlight the most requests that could wait at a time
 * @param latency of the kind of write that was fastest; empty if the writes are too few
 * @param writtenBytes what the engine's process wrote to the storage layer
 */
public record WrittenStretch(
    double seconds,
    double missed,
    OptionalLong flushes,
    String hindrance,
    long writes,
    long inFlight,
    Optional<WriteLatency> latency,
    long writtenBytes) {

  /**
   * How long writes took from when they were sent: what 9 of 10, and half of them took at least.
   */
  public record WriteLatency(long p10, long p50) {}
}
