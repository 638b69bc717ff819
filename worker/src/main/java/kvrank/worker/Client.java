package kvrank.worker;

import java.util.Optional;
import kvrank.binding.Pipelined;
import kvrank.workload.MixRequests;
import kvrank.workload.Requests;

/** One thread of a phase: how it goes through its requests, and what came of them. */
final class Client {

  private final Pace pace;
  private final Books books;
  private final Loop loop;

  Client(PhaseSetup setup, int thread) {
    PhaseLimits limits = setup.limits(thread);
    this.pace = new Pace(limits, setup.dueTimes(thread), setup.phase().pipeline());
    this.books = new Books(setup, limits.warmupNanos());
    this.loop = loop(setup, thread);
  }

  private Loop loop(PhaseSetup setup, int thread) {
    if (setup.hosting().isPresent()) {
      return new HostedLoop(setup, setup.hosting().get(), thread, pace, books);
    }
    int pipeline = setup.phase().pipeline();
    Requests requests = setup.requests(thread);
    SerialLoop serial = new SerialLoop(setup, requests, setup.calls(thread), pace, books);
    if (pipeline > 1 && setup.binding(thread) instanceof Pipelined engine) {
      Window window = new Window(setup.context(thread), engine, pipeline);
      return new PipelinedLoop(setup, requests, window, pace, books, serial);
    }
    return serial;
  }

  /**
   * Applies requests until there are no more, the time is over or the phase has been stopped.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @throws WorkerException if it is hopeless
   */
  void run(long origin) throws WorkerException {
    loop.run(origin);
  }

  /**
   * Inserts what the phase left missing, uncounted.
   *
   * @param end one more than the greatest number of a record that any thread inserted
   * @throws WorkerException if the engine refuses one
   */
  void restore(long end) throws WorkerException {
    loop.restore(end);
  }

  /** The requests, if they are drawn from a mix. */
  Optional<MixRequests> mix() {
    return loop.mix();
  }

  Tally warmup() {
    return books.warmup();
  }

  Tally measured() {
    return books.measured();
  }

  /** The number of records that the workload drew and that count. */
  long counted() {
    return pace.counted();
  }

  /** The number of requests that were due in time and that the engine was too slow to get to. */
  long missed() {
    return pace.missed();
  }
}
