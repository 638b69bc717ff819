package kvrank.worker.call;

import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** How one kind of request is made of a binding, for one thread; only {@link #apply} is timed. */
public interface Call {

  /** Builds the keys and values of the request that {@code requests} is at. */
  void prepare(Requests requests);

  /** Calls the binding. */
  Status apply();

  /** Says what became of the request of which {@link #apply} returned {@code status}. */
  void judge(Status status, OperationResult result);
}
