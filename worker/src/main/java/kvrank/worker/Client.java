package kvrank.worker;

import java.util.Optional;
import kvrank.binding.Pipelined;
import kvrank.workload.MixRequests;
import kvrank.workload.Requests;

/** One client of a phase: how it goes through its requests, and what came of them. */
final class Client {

  private final Pace pace;
  private final Books books;
  private final Optional<Lane> lane;
  private final Loop loop;

  Client(PhaseSetup setup, int client) {
    PhaseLimits limits = setup.limits(client);
    WorkerPhase phase = setup.phase();
    this.pace = new Pace(limits, setup.dueTimes(client), phase.pipeline());
    this.books = new Books(setup, limits.warmupNanos());
    if (setup.hosting().isPresent()) {
      this.lane = Optional.empty();
      this.loop = new HostedLoop(setup, setup.hosting().get(), client, pace, books);
      return;
    }
    Requests requests = setup.requests(client);
    SerialLoop serial = new SerialLoop(setup, client, requests, pace, books);
    boolean windows = phase.pipeline() > 1 || phase.connections() > 1;
    if (windows && setup.binding(client) instanceof Pipelined engine) {
      Window window = new Window(setup.context(client), engine, phase.pipeline());
      Lane own = new Lane(requests, window, pace, books);
      this.lane = Optional.of(own);
      this.loop = new PipelinedLoop(setup, own, serial);
    } else {
      this.lane = Optional.empty();
      this.loop = serial;
    }
  }

  /** Its windows, if it has some: what a thread of several clients drives. */
  Optional<Lane> lane() {
    return lane;
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
