package kvrank.worker;

import java.util.HashMap;
import java.util.Vector;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads records in key order from a start key on. Counts as one record. */
final class RangeScanCall implements Call {

  private final CallContext context;

  @SuppressWarnings("JdkObsolete") // YCSB's API
  private final Vector<HashMap<String, ByteIterator>> records = new Vector<>();

  private String key = "";

  RangeScanCall(CallContext context) {
    this.context = context;
  }

  @Override
  public void prepare(Requests requests) {
    key = context.keys().key(requests.id(0));
    records.clear();
  }

  @Override
  public Status apply() {
    return context.binding().scan(context.table(), key, context.scanRecords(), null, records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (records.size() > context.scanRecords()) {
      String what = records.size() + " records, asked for " + context.scanRecords();
      result.wrong(Operation.RANGE_SCAN, key, what);
    }
  }
}
