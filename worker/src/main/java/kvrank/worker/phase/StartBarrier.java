package kvrank.worker.phase;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import kvrank.worker.protocol.MachineBarrier;

/**
 * Where threads wait for each other, to begin at the same time with a clean heap.
 *
 * <p>A full collection moves what each thread allocated into the old generation, thread by thread.
 * A young collection during the phase would interleave the objects of all threads, and threads that
 * write to one cache line slow each other down: by up to two times, measured with the no-op engine.
 */
final class StartBarrier {

  /** Longer than waking the threads takes. */
  private static final long LEAD_NANOS = 1_000_000;

  private final CyclicBarrier barrier;
  private final MachineBarrier machines;
  private long origin;

  /**
   * @param parties the number of threads
   * @param machines synchronises this worker with others
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
   * Waits for the others; returns the moment of the start, by {@link System#nanoTime}, shortly
   * ahead.
   */
  long await() throws InterruptedException, BrokenBarrierException {
    barrier.await();
    return origin;
  }
}
