package kvrank.run.worker;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvrank.worker.protocol.WorkerMessage;

/**
 * Differences between generators' clocks and this JVM's, from the fastest answer (F. Cristian,
 * Probabilistic clock synchronization, 1989).
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

  /** Forgets the measurements, as clocks drift. */
  void forget() {
    Arrays.fill(roundTrip, Long.MAX_VALUE);
    asked.clear();
  }

  void asked(long round, long nanos) {
    asked.put(round, nanos);
  }

  /** Records a generator's answer, at {@code epochMillis} here. */
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

  /** Returns a generator's {@link System#nanoTime} at {@code nanos} here. */
  long there(int generator, long nanos) {
    return nanos + offset[generator];
  }

  /** Returns the time here at a generator's {@link System#nanoTime}. */
  long here(int generator, long nanos) {
    return nanos - offset[generator];
  }

  /** Returns the maximum error of these, either way. */
  long boundNanos(int generator) {
    return roundTrip[generator] / 2;
  }

  /** Returns the lead of the generator's time of day over this machine's. */
  long ofDayNanos(int generator) {
    return ofDay[generator];
  }

  /** Returns the longest of the shortest round trips. */
  long slowestNanos() {
    return Arrays.stream(roundTrip).max().orElse(0);
  }
}
