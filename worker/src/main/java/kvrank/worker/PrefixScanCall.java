package kvrank.worker;

import java.util.Arrays;
import kvrank.binding.PrefixScan;
import kvrank.binding.RecordBuffer;
import kvrank.workload.KeyFormat;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.Status;

/** Reads the records under one prefix, and checks that it was these. Counts as one record. */
final class PrefixScanCall implements Call {

  private final CallContext context;
  private final PrefixScan engine;
  private final ValueCheck values;
  private final int limit;
  private final RecordBuffer records = new RecordBuffer();
  private final byte[] prefix;
  private long group;

  PrefixScanCall(CallContext context, PrefixScan engine) {
    this.context = context;
    this.engine = engine;
    this.values = new ValueCheck(context);
    this.limit = (int) Math.min(Integer.MAX_VALUE, context.keyShape().perPrefix());
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
    return engine.prefixScan(prefix, limit, records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.errors() > 0) {
      return;
    }
    if (context.complete().isPresent()) {
      long first = group * context.keyShape().perPrefix();
      long expected = Math.min(limit, context.complete().getAsLong() - first);
      if (records.size() != expected) {
        wrong(records.size() + " records, there are " + expected, result);
      }
    }
    for (int i = 0; i < records.size(); i++) {
      if (!hasPrefix(i)) {
        wrong("returned " + key(i), result);
      } else if (i > 0 && compare(i - 1, i) >= 0) {
        wrong("returned " + key(i) + " after " + key(i - 1), result);
      } else {
        values.check(Operation.PREFIX_SCAN, records, i, result);
      }
    }
  }

  private boolean hasPrefix(int i) {
    int start = records.keyStart(i);
    int end = Math.min(start + prefix.length, records.keyEnd(i));
    return Arrays.equals(records.array(), start, end, prefix, 0, prefix.length);
  }

  private int compare(int i, int j) {
    byte[] bytes = records.array();
    return Arrays.compareUnsigned(
        bytes,
        records.keyStart(i),
        records.keyEnd(i),
        bytes,
        records.keyStart(j),
        records.keyEnd(j));
  }

  private String key(int i) {
    return KeyFormat.text(records.key(i));
  }

  private void wrong(String what, OperationResult result) {
    result.wrong(Operation.PREFIX_SCAN, KeyFormat.text(prefix), what);
  }
}
