package kvrank.worker;

import java.util.concurrent.locks.LockSupport;

/** Waiting for a moment, to within less than Linux oversleeps. */
final class Wait {

  /**
   * How long before a request is due the thread stops to sleep: longer than Linux oversleeps, 50 µs
   * of timer slack and the time to wake up.
   */
  private static final long SPIN_NANOS = 120_000;

  private Wait() {}

  /**
   * Waits until {@code due}, asleep while there is time and awake at the end.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @return the time, not before {@code due}
   */
  static long until(long due, long origin) {
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
