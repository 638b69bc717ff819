package kvrank.worker;

import java.util.concurrent.locks.LockSupport;

/** When the requests of one thread of an open loop are due: at constant spacing. */
final class Schedule {

  /**
   * How long before a request is due the thread stops to sleep: longer than Linux oversleeps, 50 µs
   * of timer slack and the time to wake up.
   */
  private static final long SPIN_NANOS = 120_000;

  private final double spacing;
  private final double offset;

  /**
   * @param rate records per second of all threads together
   * @param batch the number of records that are due together: in a request, or in flight at once
   */
  Schedule(double rate, int batch, int thread, int threads) {
    double perRequest = batch * 1e9 / rate;
    this.spacing = perRequest * threads;
    this.offset = perRequest * thread;
  }

  /** When request {@code number} is due, in nanoseconds after the start. */
  long due(long number) {
    return (long) (offset + number * spacing);
  }

  /** The number of requests that are due before {@code nanos} after the start. */
  long dueBefore(long nanos) {
    return nanos <= offset ? 0 : (long) Math.ceil((nanos - offset) / spacing);
  }

  /**
   * Waits until {@code due}, asleep while there is time and awake at the end.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @return the time, not before {@code due}
   */
  static long await(long due, long origin) {
    while (true) {
      long now = System.nanoTime() - origin;
      long left = due - now;
      if (left <= 0) {
        return now;
      }
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
