package kvrank.worker.phase;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import kvrank.worker.protocol.MachineBarrier;

/**
 * Where threads wait for each other, to begin at one moment with a clean heap.
 *
 * <p>The collection is for more than cleanliness. What a thread has made before it arrives lies
 * together in its allocation buffer, and a full collection moves it into the old generation in that
 * order, where it stays. A young collection during the phase would instead copy the objects of all
 * threads in between each other, and threads that write to one cache line slow each other down: by
 * up to two times, measured with the no-op engine.
 */
final class StartBarrier {

  /** Longer than it takes to wake the threads up. */
  private static final long LEAD_NANOS = 1_000_000;

  private final CyclicBarrier barrier;
  private final MachineBarrier machines;
  private long origin;

  /**
   * @param parties the number of threads that have to arrive
   * @param machines where their worker then waits for others
   */
  StartBarrier(int parties, MachineBarrier machines) {
    this.machines = machines;
    this.barrier = new CyclicBarrier(parties, this::everybodyIsHere);
  }

  private void everybodyIsHere() {
    System.gc();
    origin = machines.await(LEAD_NANOS);
  }

  /**
   * Waits for the others.
   *
   * @return the moment of the start, as {@link System#nanoTime} tells it, shortly ahead
   */
  long await() throws InterruptedException, BrokenBarrierException {
    barrier.await();
    return origin;
  }
}
