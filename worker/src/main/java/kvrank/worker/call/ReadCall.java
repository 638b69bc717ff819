package kvrank.worker.call;

import kvrank.binding.ValueBuffer;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** Reads one record. */
final class ReadCall implements Call {

  private final CallContext context;
  private final ValueCheck values;
  private final byte[] key;
  private final ValueBuffer value;
  private long id;
  private long begun;

  ReadCall(CallContext context) {
    this.context = context;
    this.values = new ValueCheck(context);
    this.key = context.keys().newKey();
    this.value = context.newValueBuffer();
  }

  @Override
  public void prepare(Requests requests) {
    id = requests.id(0);
    context.keys().write(id, key);
    value.clear();
    begun = context.values().expirations().now();
  }

  @Override
  public Status apply() {
    return context.store().read(key, value);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.ok() > 0) {
      context.found(value, result);
      values.check(Operation.READ, id, value, begun, result);
    } else if (result.notFound() > 0) {
      context.missed().accept(id);
      context.notFound(Operation.READ, id, result);
    }
  }
}
