package kvrank.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvrank.binding.BatchOperations;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads several records in one request. */
final class BatchReadCall implements Call {

  private final CallContext context;
  private final BatchOperations engine;
  private final ValueCheck values;
  private final List<String> keys;
  private final long[] ids;
  private final Map<String, Map<String, ByteIterator>> records = new HashMap<>();

  BatchReadCall(CallContext context, BatchOperations engine, int batch) {
    this.context = context;
    this.engine = engine;
    this.values = new ValueCheck(context);
    this.keys = new ArrayList<>(batch);
    this.ids = new long[batch];
  }

  @Override
  public void prepare(Requests requests) {
    keys.clear();
    for (int i = 0; i < requests.size(); i++) {
      ids[i] = requests.id(i);
      keys.add(context.keys().key(ids[i]));
    }
    records.clear();
  }

  @Override
  public Status apply() {
    return engine.batchRead(context.table(), keys, null, records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
    if (result.ok() == 0) {
      return;
    }
    // A key may be asked for twice, so the size of the result does not tell.
    int missing = 0;
    for (int i = 0; i < keys.size(); i++) {
      Map<String, ByteIterator> record = records.get(keys.get(i));
      if (record == null) {
        missing++;
      } else if (!askedBefore(i)) {
        values.check(Operation.READ, keys.get(i), ids[i], record, result);
      }
    }
    result.missing(keys.size(), missing);
  }

  /** A value can be read once only, from its iterator. */
  private boolean askedBefore(int index) {
    return context.verify() && keys.indexOf(keys.get(index)) < index;
  }
}
