package kvrank.worker;

import kvrank.binding.RecordBuffer;
import kvrank.workload.KeyFormat;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.Status;

/** Reads records in key order from a start key on. Counts as one record. */
final class RangeScanCall implements Call {

  private final CallContext context;
  private final RecordBuffer records = new RecordBuffer();
  private final byte[] start;

  RangeScanCall(CallContext context) {
    this.context = context;
    this.start = context.keys().newKey();
  }

  @Override
  public void prepare(Requests requests) {
    context.keys().write(requests.id(0), start);
    records.clear();
  }

  @Override
  public Status apply() {
    return context.store().scan(start, context.scanRecords(), records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (records.size() > context.scanRecords()) {
      String what = records.size() + " records, asked for " + context.scanRecords();
      result.wrong(Operation.RANGE_SCAN, KeyFormat.text(start), what);
    }
  }
}
