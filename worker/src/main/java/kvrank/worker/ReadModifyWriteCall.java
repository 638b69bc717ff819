package kvrank.worker;

import java.util.HashMap;
import java.util.Map;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads a record and, if it is there, replaces its value: one operation, OK if both parts are. */
final class ReadModifyWriteCall implements Call {

  private final CallContext context;
  private final ValueCheck values;
  private final OutgoingRecord outgoing;
  private final Map<String, ByteIterator> read = new HashMap<>();
  private long id;
  private String key = "";
  private Map<String, ByteIterator> record = Map.of();

  ReadModifyWriteCall(CallContext context) {
    this.context = context;
    this.values = new ValueCheck(context);
    this.outgoing = new OutgoingRecord(context.values().value());
  }

  @Override
  public void prepare(Requests requests) {
    id = requests.id(0);
    key = context.keys().key(id);
    record = outgoing.of(id, requests.version(0));
    read.clear();
  }

  @Override
  public Status apply() {
    Status status = context.binding().read(context.table(), key, null, read);
    return Status.OK.equals(status)
        ? context.binding().update(context.table(), key, record)
        : status;
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.ok() > 0) {
      values.check(Operation.READ_MODIFY_WRITE, key, id, read, result);
    }
  }
}
