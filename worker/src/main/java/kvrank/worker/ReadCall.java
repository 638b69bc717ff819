package kvrank.worker;

import java.util.HashMap;
import java.util.Map;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads one record. */
final class ReadCall implements Call {

  private final CallContext context;
  private final ValueCheck values;
  private final Map<String, ByteIterator> record = new HashMap<>();
  private long id;
  private String key = "";

  ReadCall(CallContext context) {
    this.context = context;
    this.values = new ValueCheck(context);
  }

  @Override
  public void prepare(Requests requests) {
    id = requests.id(0);
    key = context.keys().key(id);
    record.clear();
  }

  @Override
  public Status apply() {
    return context.binding().read(context.table(), key, null, record);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.ok() > 0) {
      values.check(Operation.READ, key, id, record, result);
    }
  }
}
