package kvrank.worker.client;

import java.util.Optional;
import java.util.Set;
import kvrank.binding.Pipelined;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.MixRequests;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;

/** One client of a phase: applies its requests and holds their statistics. */
public final class Client {

  private final PhaseSetup setup;
  private final OperationRecorder.Stats stats;
  private final boolean shows;
  private final Pacer pacer;
  private final OperationRecorder recorder;
  private final Optional<Pipeline> pipeline;
  private final Loop loop;
  private long unsent;

  /** Makes the first client of a thread, in that thread. */
  public Client(PhaseSetup setup, int client) {
    this(setup, client, OperationRecorder.Stats.of(setup, client), true);
  }

  private Client(PhaseSetup setup, int client, OperationRecorder.Stats stats, boolean shows) {
    this.setup = setup;
    this.stats = stats;
    this.shows = shows;
    WorkerPhase phase = setup.phase();
    boolean transactions = !setup.mix(client).transaction().isEmpty();
    this.pacer =
        new Pacer(
            setup.stages(),
            setup.records(client),
            setup.arrivalSchedule(client),
            phase.settings().pipeline(),
            // A walk over all records or a transaction may take longer than the phase.
            phase.operations().equals(Set.of(Operation.ITERATE)) || transactions);
    this.recorder = new OperationRecorder(setup, client, stats);
    if (setup.ycsbHost().isPresent()) {
      this.pipeline = Optional.empty();
      this.loop = new HostedLoop(setup, setup.ycsbHost().get(), client, pacer, recorder);
      return;
    }
    Requests requests = setup.requests(client);
    if (transactions) {
      this.pipeline = Optional.empty();
      this.loop = new TransactionLoop(setup, client, requests, pacer, recorder);
      return;
    }
    SerialLoop serial = new SerialLoop(setup, client, requests, pacer, recorder);
    boolean windows = phase.settings().pipeline() > 1 || phase.settings().connections() > 1;
    if (windows && setup.binding(client) instanceof Pipelined engine) {
      PipelineWindow window =
          new PipelineWindow(
              setup.context(client, requests::missed), engine, phase.settings().pipeline());
      Pipeline driven = new Pipeline(requests, window, pacer, recorder);
      this.pipeline = Optional.of(driven);
      this.loop = new PipelinedLoop(setup, driven, serial);
    } else {
      this.pipeline = Optional.empty();
      this.loop = serial;
    }
  }

  /** Returns another client of the same thread. The statistics of the first one include its. */
  public Client another(int client) {
    return new Client(setup, client, stats, false);
  }

  private OperationRecorder.Stats shown() {
    return shows ? stats : OperationRecorder.Stats.SHOWN;
  }

  /** Returns the pipeline if the binding has one. */
  Optional<Pipeline> pipeline() {
    return pipeline;
  }

  /**
   * Applies requests until they run out, time is over or the phase is stopped.
   *
   * @param origin the start, by {@link System#nanoTime}
   * @throws WorkerException if the engine seems gone
   */
  public void run(long origin) throws WorkerException {
    loop.run(origin);
  }

  /** Returns the requests if they come from a mix. */
  public Optional<MixRequests> mix() {
    return loop.mix();
  }

  /** Returns the times during which a request had failed and had not succeeded yet. */
  public Outages outages() {
    return recorder.outages();
  }

  public ThreadStats warmup() {
    return shown().warmup();
  }

  public ThreadStats measured() {
    return shown().measured();
  }

  /** Returns the statistics of compensating inserts in the measured time. */
  public ThreadStats compensation() {
    return shown().compensation();
  }

  /** Returns the number of records that the workload drew and that count. */
  public long counted() {
    return pacer.counted();
  }

  /**
   * Records the requests that were due in time and never sent because the engine was too slow;
   * those of a hosted workload are only counted.
   *
   * @param now the client's end, in nanoseconds after the start
   */
  public void enterUnsent(long now) {
    while (pacer.tooLate(now)) {
      long due = pacer.due();
      mix().ifPresent(requests -> recorder.unsent(requests.skip(), due, now));
      unsent += recorder.counts(due) ? 1 : 0;
      pacer.leaveOut();
    }
  }

  public long unsent() {
    return unsent;
  }
}
