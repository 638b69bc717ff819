package kvrank.worker;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Where threads wait for each other, to begin at one moment. */
final class StartLine {

  /** Longer than it takes to wake the threads up. */
  private static final long LEAD_NANOS = 1_000_000;

  private final CyclicBarrier barrier;
  private long origin;

  /**
   * @param parties the number of threads that have to arrive
   */
  StartLine(int parties) {
    this.barrier = new CyclicBarrier(parties, () -> origin = System.nanoTime() + LEAD_NANOS);
  }

  /**
   * Waits for the others.
   *
   * @return the moment of the start, as {@link System#nanoTime} tells it, shortly ahead
   * @throws BrokenBarrierException if one of them will not come
   */
  long await() throws InterruptedException, BrokenBarrierException {
    barrier.await();
    return origin;
  }

  /** Tells the others that this thread will not come. */
  void leave() {
    barrier.reset();
  }
}
