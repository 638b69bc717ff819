package kvrank.worker;

import kvrank.workload.Requests;
import site.ycsb.Status;

/** Deletes one record. */
final class DeleteCall implements Call {

  private final CallContext context;
  private final byte[] key;

  DeleteCall(CallContext context) {
    this.context = context;
    this.key = context.keys().newKey();
  }

  @Override
  public void prepare(Requests requests) {
    context.keys().write(requests.id(0), key);
  }

  @Override
  public Status apply() {
    return context.store().delete(key);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
  }
}
