package kvrank.worker;

import java.util.ArrayList;
import java.util.List;
import kvrank.binding.BatchOperations;
import kvrank.workload.Requests;
import site.ycsb.Status;

/** Deletes several records in one request. */
final class BatchDeleteCall implements Call {

  private final CallContext context;
  private final BatchOperations engine;
  private final List<String> keys;

  BatchDeleteCall(CallContext context, BatchOperations engine, int batch) {
    this.context = context;
    this.engine = engine;
    this.keys = new ArrayList<>(batch);
  }

  @Override
  public void prepare(Requests requests) {
    keys.clear();
    for (int i = 0; i < requests.size(); i++) {
      keys.add(context.keys().key(requests.id(i)));
    }
  }

  @Override
  public Status apply() {
    return engine.batchDelete(context.table(), keys);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
  }
}
