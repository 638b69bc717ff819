package kvrank.worker.client;

import java.util.concurrent.locks.LockSupport;

/** Waiting for a moment, to within less than Linux oversleeps. For one thread. */
public final class Wait {

  /**
   * How long before a request is due a thread that spins stops to sleep: longer than Linux
   * oversleeps, the timer's slack and the time to wake up.
   */
  private static final long SPIN_NANOS = 120_000;

  private final long spinNanos;

  /**
   * @param spins whether the thread is to stay awake at the end, for which there must be a core
   */
  public Wait(boolean spins) {
    this.spinNanos = spins ? SPIN_NANOS : 0;
  }

  /**
   * A wait for the calling thread, one of {@code threads} that wait, on the processors that this
   * JVM may use. Where the thread is not to spin, Linux is asked to wake it up without delay.
   */
  static Wait ofThread(int threads) {
    boolean spins = spins(threads, Runtime.getRuntime().availableProcessors());
    if (!spins) {
      TimerSlack.shorten();
    }
    return new Wait(spins);
  }

  /**
   * Whether so many threads may spin on so many processors: only if they leave more than they take,
   * as the engine may be on the same ones.
   */
  public static boolean spins(int threads, int processors) {
    return 2 * threads < processors;
  }

  /**
   * Waits until {@code due}, asleep while there is time.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @return the time, not before {@code due}
   */
  public long until(long due, long origin) {
    while (true) {
      long now = System.nanoTime() - origin;
      long left = due - now;
      if (left <= 0) {
        return now;
      }
      if (left > spinNanos) {
        LockSupport.parkNanos(left - spinNanos);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
