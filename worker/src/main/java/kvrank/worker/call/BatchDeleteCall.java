package kvrank.worker.call;

import java.util.List;
import kvrank.binding.BatchOperations;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** Deletes several records in one request. */
final class BatchDeleteCall implements Call {

  private final BatchOperations engine;
  private final CallContext context;
  private final BatchKeys format;
  private List<byte[]> keys = List.of();
  private long first;

  BatchDeleteCall(CallContext context, BatchOperations engine, int batch) {
    this.engine = engine;
    this.context = context;
    this.format = new BatchKeys(context.keys(), batch);
  }

  @Override
  public void prepare(Requests requests) {
    keys = format.of(requests);
    first = requests.id(0);
  }

  @Override
  public Status apply() {
    return engine.batchDelete(keys);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
    context.deleted(result);
    if (result.notFound() > 0) {
      context.notFound(Operation.DELETE, first, result);
    }
  }
}
