package kvrank.worker;

import kvrank.workload.Requests;
import site.ycsb.Status;

/** Deletes one record. */
final class DeleteCall implements Call {

  private final CallContext context;
  private String key = "";

  DeleteCall(CallContext context) {
    this.context = context;
  }

  @Override
  public void prepare(Requests requests) {
    key = context.keys().key(requests.id(0));
  }

  @Override
  public Status apply() {
    return context.binding().delete(context.table(), key);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
  }
}
