package kvrank.worker.call;

import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** One kind of request to a binding, for one thread; only {@link #apply} is timed. */
public interface Call {

  /** Builds the keys and values of the current request. */
  void prepare(Requests requests);

  Status apply();

  /** Sets {@code result} to the outcome of the request that returned {@code status}. */
  void judge(Status status, OperationResult result);
}
