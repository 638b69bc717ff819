package kvrank.worker.call;

import java.util.ArrayList;
import java.util.List;
import kvrank.binding.ByteSource;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;
import site.ycsb.Status;

/** Inserts or updates several records in one request. */
final class BatchWriteCall implements Call {

  private final CallContext context;
  private final Write write;
  private final BatchKeys format;
  private final List<Value> buffers = new ArrayList<>();
  private List<byte[]> keys = List.of();
  private List<Value> values = List.of();

  BatchWriteCall(CallContext context, Write write, int batch) {
    this.context = context;
    this.write = write;
    this.format = new BatchKeys(context.keys(), batch);
    for (int i = 0; i < batch; i++) {
      buffers.add(context.values().value());
    }
  }

  /** A method of {@link kvrank.binding.BatchOperations} that writes. */
  interface Write {
    Status apply(List<byte[]> keys, List<? extends ByteSource> values);
  }

  @Override
  public void prepare(Requests requests) {
    keys = format.of(requests);
    values = buffers.subList(0, keys.size());
    for (int i = 0; i < keys.size(); i++) {
      values.get(i).set(requests, i);
    }
  }

  @Override
  public Status apply() {
    return write.apply(keys, values);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
    values.forEach(value -> context.wrote(value, result));
  }
}
