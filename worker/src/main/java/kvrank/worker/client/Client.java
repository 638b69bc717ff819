package kvrank.worker.client;

import java.util.Optional;
import kvrank.binding.Pipelined;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.workload.MixRequests;
import kvrank.workload.request.Requests;

/** One client of a phase: how it goes through its requests, and what came of them. */
public final class Client {

  private final Pacer pacer;
  private final OperationRecorder recorder;
  private final Optional<Pipeline> pipeline;
  private final Loop loop;
  private long unsent;

  public Client(PhaseSetup setup, int client) {
    WorkerPhase phase = setup.phase();
    this.pacer =
        new Pacer(
            setup.stages(),
            setup.records(client),
            setup.arrivalSchedule(client),
            phase.settings().pipeline());
    this.recorder = new OperationRecorder(setup);
    if (setup.ycsbHost().isPresent()) {
      this.pipeline = Optional.empty();
      this.loop = new HostedLoop(setup, setup.ycsbHost().get(), client, pacer, recorder);
      return;
    }
    Requests requests = setup.requests(client);
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

  /** Its windows, if it has some: what a thread of several clients drives. */
  Optional<Pipeline> pipeline() {
    return pipeline;
  }

  /**
   * Applies requests until there are no more, the time is over or the phase has been stopped.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @throws WorkerException if it is hopeless
   */
  public void run(long origin) throws WorkerException {
    loop.run(origin);
  }

  /** The requests, if they are drawn from a mix. */
  public Optional<MixRequests> mix() {
    return loop.mix();
  }

  public ThreadStats warmup() {
    return recorder.warmup();
  }

  public ThreadStats measured() {
    return recorder.measured();
  }

  /** What made up for others, uncounted, in the measured stretch. */
  public ThreadStats compensation() {
    return recorder.compensation();
  }

  /** The number of records that the workload drew and that count. */
  public long counted() {
    return pacer.counted();
  }

  /**
   * Enters the requests that were due in time and that the engine was too slow to get to, so that
   * they were never sent. Those of a hosted workload are counted only: what they would have been is
   * not known.
   *
   * @param now when the client has ended, in nanoseconds after the start
   */
  public void enterUnsent(long now) {
    while (pacer.tooLate(now)) {
      long due = pacer.due();
      mix().ifPresent(requests -> recorder.unsent(requests.skip(), due, now));
      unsent += recorder.counts(due) ? 1 : 0;
      pacer.leaveOut();
    }
  }

  /** The number of requests that count and were never sent. */
  public long unsent() {
    return unsent;
  }
}
