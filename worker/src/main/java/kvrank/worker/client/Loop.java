package kvrank.worker.client;

import java.util.Optional;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.MixRequests;

/** How one thread applies its requests. */
interface Loop {

  /**
   * Applies requests until they run out, time is over or the phase is stopped.
   *
   * @param origin the start, by {@link System#nanoTime}
   */
  void run(long origin) throws WorkerException;

  default Optional<MixRequests> mix() {
    return Optional.empty();
  }
}
