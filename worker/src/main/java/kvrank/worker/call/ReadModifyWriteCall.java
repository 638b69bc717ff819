package kvrank.worker.call;

import kvrank.binding.ValueBuffer;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;
import site.ycsb.Status;

/** Reads a record and replaces its value if it exists: one operation, OK if both parts are. */
final class ReadModifyWriteCall implements Call {

  private final CallContext context;
  private final ValueCheck values;
  private final byte[] key;
  private final ValueBuffer read;
  private final Value written;
  private long id;
  private long begun;

  ReadModifyWriteCall(CallContext context) {
    this.context = context;
    this.values = new ValueCheck(context);
    this.key = context.keys().newKey();
    this.read = context.newValueBuffer();
    this.written = context.values().value();
  }

  @Override
  public void prepare(Requests requests) {
    id = requests.id(0);
    context.keys().write(id, key);
    written.set(requests, 0);
    read.clear();
    begun = context.values().expirations().now();
  }

  @Override
  public Status apply() {
    Status status = context.store().read(key, read);
    return Status.OK.equals(status) ? context.store().update(key, written) : status;
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.ok() > 0) {
      context.found(read, result);
      values.check(Operation.READ_MODIFY_WRITE, id, read, begun, result);
      context.wrote(written, result);
    } else if (result.notFound() > 0) {
      context.notFound(Operation.READ_MODIFY_WRITE, id, result);
    }
  }
}
