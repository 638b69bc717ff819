package kvrank.worker.client;

import java.util.Optional;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.MixRequests;

/** How one thread of a phase goes through its requests. */
interface Loop {

  /**
   * Applies requests until there are no more, the time is over or the phase has been stopped.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   */
  void run(long origin) throws WorkerException;

  /** The requests, if they are drawn from a mix. */
  default Optional<MixRequests> mix() {
    return Optional.empty();
  }
}
