package kvrank.machine;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that uses three quarters of a core, but none when the kernel's timer ticks, and ends
 * with its input. Linux accounts CPU time by these ticks unless it is built otherwise.
 */
final class TickHider {

  /** Ticks come at multiples of 1, 2, 4 or 10 ms, at 1,000 to 100 Hz, of the monotonic clock. */
  private static final long TICK_NANOS = 1_000_000;

  private static final long BEFORE_NANOS = 150_000;
  private static final long AFTER_NANOS = 50_000;

  private TickHider() {}

  public static void main(String[] arguments) throws IOException {
    Thread hider = new Thread(TickHider::hide);
    hider.setDaemon(true);
    hider.start();
    System.out.println("hides");
    while (System.in.read() >= 0) {
      // Wait.
    }
  }

  private static void hide() {
    while (true) {
      long left = TICK_NANOS - System.nanoTime() % TICK_NANOS;
      if (left < BEFORE_NANOS) {
        LockSupport.parkNanos(left + AFTER_NANOS);
      }
    }
  }
}
