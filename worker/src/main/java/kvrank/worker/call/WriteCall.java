package kvrank.worker.call;

import kvrank.binding.ByteSource;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;
import site.ycsb.Status;

/** Inserts or updates one record. */
final class WriteCall implements Call {

  private final CallContext context;
  private final Write write;
  private final byte[] key;
  private final Value value;

  WriteCall(CallContext context, Write write) {
    this.context = context;
    this.write = write;
    this.key = context.keys().newKey();
    this.value = context.values().value();
  }

  /** A method of {@link kvrank.binding.KeyValueStore} that writes. */
  interface Write {
    Status apply(byte[] key, ByteSource value);
  }

  @Override
  public void prepare(Requests requests) {
    context.keys().write(requests.id(0), key);
    value.set(requests, 0);
  }

  @Override
  public Status apply() {
    return write.apply(key, value);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    context.wrote(value, result);
  }
}
