package kvrank.worker.client;

import kvrank.worker.call.Call;
import kvrank.worker.call.Calls;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** One request, from building to recording it; reusable. Times are nanoseconds after the start. */
final class Turn {

  private final Calls calls;
  Operation operation = Operation.READ;
  Call call;
  int size;
  boolean drawn;
  Status status;
  long start;
  long end;

  Turn(Calls calls) {
    this.calls = calls;
  }

  void build(Requests requests) {
    operation = requests.operation();
    call = calls.of(operation);
    size = requests.size();
    drawn = !requests.compensating();
    call.prepare(requests);
  }

  /** Sends the request at {@code now}, which a clock shows; returns when it was answered. */
  long send(long now, long origin, OperationRecorder recorder) {
    start = now;
    status = apply(recorder);
    end = System.nanoTime() - origin;
    return end;
  }

  Status apply(OperationRecorder recorder) {
    try {
      return call.apply();
    } catch (Exception | LinkageError | AssertionError e) {
      return recorder.threw(operation, e);
    }
  }
}
