package kvrank.capture;

import java.util.Map;
import java.util.OptionalDouble;

/** The bytes that a server sent to its clients, without the capture's own, by INFO. */
final class Replies {

  /** The fewest reads for a mean. */
  private static final double LEAST_READS = 1_000;

  /** Bytes of {@code +OK} and other short answers, and those around a value. */
  private static final double SHORT = 5;

  private static final double AROUND = 8;

  private double bytes;
  private double reads;
  private double others;

  /**
   * Adds the time between two answers to INFO.
   *
   * @param received the bytes that the capture received in between
   * @param found the keys that its commands found
   * @param commands the number of commands of others
   */
  void add(
      Map<String, String> before,
      Map<String, String> after,
      double received,
      double found,
      double commands) {
    double hits = more(before, after, "keyspace_hits") - found;
    bytes += more(before, after, "total_net_output_bytes") - received;
    reads += hits;
    others += Math.max(0, commands - hits);
  }

  private static double more(Map<String, String> before, Map<String, String> after, String name) {
    return Capture.number(after, name) - Capture.number(before, name);
  }

  /** Returns the mean length of a value that was read; empty if too few were. */
  OptionalDouble meanValue() {
    return reads >= LEAST_READS && bytes > 0
        ? OptionalDouble.of(Math.max(0, (bytes - SHORT * others) / reads - AROUND))
        : OptionalDouble.empty();
  }
}
