package kvrank.worker.call;

import java.util.ArrayList;
import java.util.List;
import kvrank.binding.BatchOperations;
import kvrank.binding.ValueBuffer;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/** Reads several records in one request. */
final class BatchReadCall implements Call {

  private final BatchOperations engine;
  private final CallContext context;
  private final ValueCheck check;
  private final BatchKeys format;
  private final long[] ids;
  private final List<ValueBuffer> buffers = new ArrayList<>();
  private List<byte[]> keys = List.of();
  private List<ValueBuffer> values = List.of();
  private long begun;

  BatchReadCall(CallContext context, BatchOperations engine, int batch) {
    this.engine = engine;
    this.context = context;
    this.check = new ValueCheck(context);
    this.format = new BatchKeys(context.keys(), batch);
    this.ids = new long[batch];
    for (int i = 0; i < batch; i++) {
      buffers.add(context.newValueBuffer());
    }
  }

  @Override
  public void prepare(Requests requests) {
    keys = format.of(requests);
    values = buffers.subList(0, keys.size());
    for (int i = 0; i < keys.size(); i++) {
      ids[i] = requests.id(i);
      values.get(i).clear();
    }
    begun = context.values().expirations().now();
  }

  @Override
  public Status apply() {
    return engine.batchRead(keys, values);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
    if (result.errors() > 0) {
      return;
    }
    int missing = 0;
    for (int i = 0; i < keys.size(); i++) {
      if (values.get(i).isPresent()) {
        context.found(values.get(i), result);
        check.check(Operation.READ, ids[i], values.get(i), begun, result);
      } else {
        context.missed().accept(ids[i]);
        context.notFound(Operation.READ, ids[i], result);
        missing++;
      }
    }
    result.missing(keys.size(), missing);
  }
}
