package kvrank.worker.call;

import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** Deletes one record. */
final class DeleteCall implements Call {

  private final CallContext context;
  private final byte[] key;
  private long id;

  DeleteCall(CallContext context) {
    this.context = context;
    this.key = context.keys().newKey();
  }

  @Override
  public void prepare(Requests requests) {
    id = requests.id(0);
    context.keys().write(id, key);
  }

  @Override
  public Status apply() {
    return context.store().delete(key);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    context.deleted(result);
    if (result.notFound() > 0) {
      context.notFound(Operation.DELETE, id, result);
    }
  }
}
