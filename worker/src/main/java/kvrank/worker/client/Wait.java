package kvrank.worker.client;

import java.util.concurrent.locks.LockSupport;

/** Waits more precisely than Linux sleeps; for one thread. */
public final class Wait {

  /**
   * How long a spinning thread stays awake before a request is due: longer than Linux oversleeps.
   */
  private static final long SPIN_NANOS = 120_000;

  private final long spinNanos;

  /**
   * @param spins whether the thread stays awake at the end, which takes a core
   */
  public Wait(boolean spins) {
    this.spinNanos = spins ? SPIN_NANOS : 0;
  }

  /**
   * Returns a wait for the calling thread, one of {@code threads}. If it does not spin, it shortens
   * its timer slack.
   */
  static Wait ofThread(int threads) {
    boolean spins = spins(threads, Runtime.getRuntime().availableProcessors());
    if (!spins) {
      TimerSlack.shorten();
    }
    return new Wait(spins);
  }

  /**
   * Returns whether this many threads may spin: only if they leave most processors to the engine.
   */
  public static boolean spins(int threads, int processors) {
    return 2 * threads < processors;
  }

  /**
   * Waits until {@code due}, asleep while there is time.
   *
   * @param origin the start, by {@link System#nanoTime}
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
