package kvrank.worker.call;

import java.util.Optional;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ReverseScan;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** Reads records in key order and checks them; counts as one record. */
final class RangeScanCall implements Call {

  private final CallContext context;
  private final ScanCheck check;
  private final RecordBuffer records = new RecordBuffer();
  private final byte[] start;
  private final Optional<ReverseScan> backwards;
  private long id;
  private int limit;

  RangeScanCall(CallContext context, boolean reverse) {
    this.context = context;
    this.backwards = reverse ? Optional.of((ReverseScan) context.binding()) : Optional.empty();
    this.check = new ScanCheck(context, Operation.RANGE_SCAN, reverse);
    this.start = context.keys().newKey();
  }

  @Override
  public void prepare(Requests requests) {
    id = requests.id(0);
    limit = requests.scanRecords();
    context.keys().write(id, start);
    records.clear();
  }

  @Override
  public Status apply() {
    return backwards.isPresent()
        ? backwards.get().reverseScan(start, limit, records)
        : context.store().scan(start, limit, records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.errors() == 0) {
      check.check(id, start, limit, records, result);
    }
  }
}
