package kvrank.worker.client;

import java.util.Optional;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.Calls;
import kvrank.worker.call.OperationResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.MixRequests;
import kvrank.workload.OperationMix;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/**
 * Applies transactions. All requests of one are built before the first is sent and checked after
 * the last answer, so that its latency is the engine's time and the clock readings between.
 */
final class TransactionLoop implements Loop {

  private final PhaseSetup setup;
  private final Requests requests;
  private final Pacer pacer;
  private final OperationRecorder recorder;
  private final Turn[] parts;
  private final Turn compensation;
  private final OperationResult result = new OperationResult();
  private final OperationResult whole = new OperationResult();
  private final Wait wait;

  TransactionLoop(
      PhaseSetup setup, int client, Requests requests, Pacer pacer, OperationRecorder recorder) {
    this.setup = setup;
    this.requests = requests;
    this.pacer = pacer;
    this.recorder = recorder;
    this.wait = setup.newWait();
    OperationMix mix = setup.mix(client);
    CallContext context = setup.context(client, requests::missed);
    this.compensation = new Turn(new Calls(context, 1));
    this.parts = new Turn[mix.requests().size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Turn(new Calls(context, 1, mix.reverse()));
    }
  }

  @Override
  public void run(long origin) throws WorkerException {
    long now = wait.until(0, origin);
    while (!pacer.over(now) && !setup.stopped() && build(origin)) {
      now = apply(origin);
    }
  }

  /**
   * Builds the next transaction, after the compensating inserts before it; returns whether there is
   * one.
   */
  private boolean build(long origin) throws WorkerException {
    int built = 0;
    while (built < parts.length && requests.next(1)) {
      if (requests.compensating()) {
        compensate(origin);
      } else {
        parts[built++].build(requests);
      }
    }
    return built == parts.length;
  }

  private void compensate(long origin) throws WorkerException {
    compensation.build(requests);
    compensation.send(System.nanoTime() - origin, origin, recorder);
    compensation.call.judge(compensation.status, result);
    recorder.compensated(compensation.operation, result, compensation.start, compensation.end);
  }

  /** Applies and records the transaction; returns its end. */
  private long apply(long origin) throws WorkerException {
    long due = pacer.due();
    long start = pacer.open() ? wait.until(due, origin) : System.nanoTime() - origin;
    long end = start;
    for (Turn part : parts) {
      end = part.send(end, origin, recorder);
    }
    long from = pacer.open() ? due : start;
    boolean counts = recorder.counts(from);
    whole.set(Status.OK, 1);
    for (Turn part : parts) {
      part.call.judge(part.status, result);
      if (result.errors() > 0) {
        whole.set(part.status, 1);
      }
      recorder.within(counts, part.operation, result, part.start, part.end);
    }
    recorder.enter(counts, Operation.TRANSACTION, whole, from, start, end);
    pacer.took(1, counts);
    return end;
  }

  @Override
  public Optional<MixRequests> mix() {
    return requests instanceof MixRequests mix ? Optional.of(mix) : Optional.empty();
  }
}
