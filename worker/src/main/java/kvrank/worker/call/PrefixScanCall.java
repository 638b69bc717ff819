package kvrank.worker.call;

import java.util.Optional;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ReverseScan;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** Reads the records under one prefix and checks them; counts as one record. */
final class PrefixScanCall implements Call {

  private final CallContext context;
  private final PrefixScan engine;
  private final ScanCheck check;
  private final int limit;
  private final Optional<ReverseScan> backwards;
  private final RecordBuffer records = new RecordBuffer();
  private final byte[] prefix;
  private long group;

  PrefixScanCall(CallContext context, PrefixScan engine, boolean reverse) {
    this.backwards = reverse ? Optional.of((ReverseScan) context.binding()) : Optional.empty();
    this.context = context;
    this.engine = engine;
    this.check = new ScanCheck(context, Operation.PREFIX_SCAN, reverse);
    this.limit = (int) Math.min(Integer.MAX_VALUE, context.dataset().keys().perPrefix());
    this.prefix = context.keys().newPrefix();
  }

  @Override
  public void prepare(Requests requests) {
    group = context.keys().group(requests.id(0));
    context.keys().writePrefix(group, prefix);
    records.clear();
  }

  @Override
  public Status apply() {
    return backwards.isPresent()
        ? backwards.get().reversePrefixScan(prefix, limit, records)
        : engine.prefixScan(prefix, limit, records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.errors() == 0) {
      check.check(group * context.dataset().keys().perPrefix(), prefix, limit, records, result);
    }
  }
}
