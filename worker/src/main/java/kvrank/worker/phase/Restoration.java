package kvrank.worker.phase;

import java.util.concurrent.atomic.AtomicLong;
import kvrank.binding.BatchOperations;
import kvrank.worker.call.Call;
import kvrank.worker.call.CallContext;
import kvrank.worker.call.Calls;
import kvrank.worker.call.OperationResult;
import kvrank.worker.client.PhaseSetup;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.MixRequests;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/**
 * Restores the population of a phase's start, unmeasured and in batches if the engine has them:
 * inserts deleted records, deletes added ones.
 */
final class Restoration {

  private static final int MOST_RECORDS = 100;
  private static final int MOST_BYTES = 1 << 20;

  private final PhaseSetup setup;
  private final AtomicLong done = new AtomicLong();

  Restoration(PhaseSetup setup) {
    this.setup = setup;
  }

  /** Returns the number of records inserted or deleted so far. */
  long done() {
    return done.get();
  }

  /** Reverts the changes of one client. */
  void restore(int client, MixRequests mix) throws WorkerException {
    CallContext context = setup.context(client);
    int batch = context.binding() instanceof BatchOperations ? batch(context) : 1;
    Calls calls = new Calls(context, batch);
    for (Requests requests : mix.restoration(batch)) {
      Call call = calls.of(requests.operation());
      while (requests.next(batch) && !setup.stopped()) {
        apply(call, requests);
      }
    }
  }

  private static int batch(CallContext context) {
    return Math.max(1, Math.min(MOST_RECORDS, MOST_BYTES / context.values().maxBytes()));
  }

  private void apply(Call call, Requests requests) throws WorkerException {
    OperationResult result = new OperationResult();
    call.prepare(requests);
    try {
      Status status = call.apply();
      call.judge(status, result);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      throw refused(requests, WorkerException.summary(e));
    }
    boolean inserts = requests.operation() == Operation.INSERT;
    if (result.errors() > 0 || (inserts && result.ok() < requests.size())) {
      String error = result.error() + WorkerException.said();
      throw refused(requests, result.errors() > 0 ? error : "not found");
    }
    done.addAndGet(requests.size());
  }

  private WorkerException refused(Requests requests, String why) {
    return WorkerException.ofEngine(
        setup.phase().name(),
        requests.operation() == Operation.INSERT
            ? "records that the phase deleted could not be inserted again: " + why
            : "records that the phase added could not be deleted: " + why,
        null);
  }
}
