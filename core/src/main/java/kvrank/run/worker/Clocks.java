package kvrank.run.worker;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvrank.worker.protocol.WorkerMessage;

/**
 * How the clocks of generators differ from this JVM's: the answer that took the least time to come
 * says most (F. Cristian, Probabilistic clock synchronization, 1989).
 */
final class Clocks {

  private final long[] offset;
  private final long[] roundTrip;
  private final long[] ofDay;
  private final Map<Long, Long> asked = new HashMap<>();

  Clocks(int number) {
    this.offset = new long[number];
    this.roundTrip = new long[number];
    this.ofDay = new long[number];
    forget();
  }

  /** Forgets what was measured, as clocks drift. */
  void forget() {
    Arrays.fill(roundTrip, Long.MAX_VALUE);
    asked.clear();
  }

  /** All were asked. */
  void asked(long round, long nanos) {
    asked.put(round, nanos);
  }

  /** A generator has answered, when it was so many milliseconds after 1970 here. */
  void answered(int generator, WorkerMessage.Clock answer, long nanos, long epochMillis) {
    Long sent = asked.get(answer.round());
    if (sent != null && nanos - sent < roundTrip[generator]) {
      roundTrip[generator] = nanos - sent;
      long middle = sent + (nanos - sent) / 2;
      offset[generator] = answer.nanos() - middle;
      long here = TimeUnit.MILLISECONDS.toNanos(epochMillis) - (nanos - middle);
      ofDay[generator] = answer.epochNanos() - here;
    }
  }

  /** Returns what a generator's {@link System#nanoTime} is when it is {@code nanos} here. */
  long there(int generator, long nanos) {
    return nanos + offset[generator];
  }

  /** Returns the time here when a generator's {@link System#nanoTime} is {@code nanos}. */
  long here(int generator, long nanos) {
    return nanos - offset[generator];
  }

  /** Returns by how much that may be wrong, either way. */
  long boundNanos(int generator) {
    return roundTrip[generator] / 2;
  }

  /** Returns by how much the generator's time of day is ahead of this machine's. */
  long ofDayNanos(int generator) {
    return ofDay[generator];
  }

  /** Returns the longest of the shortest round trips. */
  long slowestNanos() {
    return Arrays.stream(roundTrip).max().orElse(0);
  }
}
