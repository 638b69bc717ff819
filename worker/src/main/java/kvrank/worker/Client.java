package kvrank.worker;

import kvrank.binding.Pipelined;
import kvrank.workload.MixRequests;
import kvrank.workload.Requests;

/** One thread of a phase: its requests, how it goes through them, and what came of them. */
final class Client {

  private final Requests requests;
  private final Pace pace;
  private final Books books;
  private final SerialLoop serial;
  private final Loop loop;

  Client(PhaseSetup setup, int thread) {
    PhaseLimits limits = PhaseLimits.of(setup.phase(), thread);
    int pipeline = setup.phase().pipeline();
    this.requests = setup.requests(thread);
    this.pace = new Pace(limits, setup.dueTimes(thread), pipeline);
    this.books = new Books(setup, limits.warmupNanos());
    this.serial = new SerialLoop(setup, requests, setup.calls(thread), pace, books);
    this.loop =
        pipeline > 1 && setup.binding(thread) instanceof Pipelined engine
            ? new PipelinedLoop(
                setup,
                requests,
                new Window(setup.context(thread), engine, pipeline),
                pace,
                books,
                serial)
            : serial;
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
    if (requests instanceof MixRequests mix) {
      serial.restore(mix.restoration(end));
    }
  }

  Requests requests() {
    return requests;
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
