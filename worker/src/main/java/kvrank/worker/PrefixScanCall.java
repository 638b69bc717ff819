package kvrank.worker;

import java.util.LinkedHashMap;
import java.util.Map;
import kvrank.binding.PrefixScan;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads the records under one prefix, and checks that it was these. Counts as one record. */
final class PrefixScanCall implements Call {

  private final CallContext context;
  private final PrefixScan engine;
  private final ValueCheck values;
  private final int limit;
  private final Map<String, Map<String, ByteIterator>> records = new LinkedHashMap<>();
  private long group;
  private String prefix = "";

  PrefixScanCall(CallContext context, PrefixScan engine) {
    this.context = context;
    this.engine = engine;
    this.values = new ValueCheck(context);
    this.limit = (int) Math.min(Integer.MAX_VALUE, context.keyShape().perPrefix());
  }

  @Override
  public void prepare(Requests requests) {
    group = context.keys().group(requests.id(0));
    prefix = context.keys().prefix(group);
    records.clear();
  }

  @Override
  public Status apply() {
    return engine.prefixScan(context.table(), prefix, limit, null, records);
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
    String previous = "";
    for (Map.Entry<String, Map<String, ByteIterator>> record : records.entrySet()) {
      String key = record.getKey();
      if (!key.startsWith(prefix)) {
        wrong("returned " + key, result);
      } else if (previous.compareTo(key) >= 0) {
        wrong("returned " + key + " after " + previous, result);
      } else if (context.verify()) {
        values.check(Operation.PREFIX_SCAN, key, context.keys().id(key), record.getValue(), result);
      }
      previous = key;
    }
  }

  private void wrong(String what, OperationResult result) {
    result.wrong(Operation.PREFIX_SCAN, prefix, what);
  }
}
