package kvrank.worker.call;

import java.util.ArrayList;
import java.util.List;
import kvrank.binding.BatchOperations;
import kvrank.binding.ValueBuffer;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/**
 * Reads keys that were never written, one by one or in one request. The right answer is that there
 * is no such record.
 */
final class ReadMissingCall implements Call {

  private final CallContext context;
  private final int batch;
  private final List<byte[]> buffers = new ArrayList<>();
  private final List<ValueBuffer> valueBuffers = new ArrayList<>();
  private List<byte[]> keys = List.of();
  private List<ValueBuffer> values = List.of();

  /**
   * @param batch the largest number of records in a request; if over 1, the binding has batches
   */
  ReadMissingCall(CallContext context, int batch) {
    this.context = context;
    this.batch = batch;
    for (int i = 0; i < batch; i++) {
      buffers.add(context.keys().newKey());
      valueBuffers.add(context.newValueBuffer());
    }
  }

  @Override
  public void prepare(Requests requests) {
    keys = buffers.subList(0, requests.size());
    values = valueBuffers.subList(0, requests.size());
    for (int i = 0; i < keys.size(); i++) {
      context.keys().writeMissing(requests.id(i), keys.get(i));
      values.get(i).clear();
    }
  }

  @Override
  public Status apply() {
    return batch == 1
        ? context.store().read(keys.get(0), values.get(0))
        : ((BatchOperations) context.binding()).batchRead(keys, values);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
    for (int i = 0; i < keys.size() && result.errors() == 0; i++) {
      context.neverWritten(keys.get(i), values.get(i), result);
    }
  }
}
