package kvrank.worker;

import java.util.Map;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Inserts or updates one record. */
final class WriteCall implements Call {

  private final CallContext context;
  private final Write write;
  private final OutgoingRecord outgoing;
  private String key = "";
  private Map<String, ByteIterator> record = Map.of();

  WriteCall(CallContext context, Write write) {
    this.context = context;
    this.write = write;
    this.outgoing = new OutgoingRecord(context.values().value());
  }

  /** A method of {@link site.ycsb.DB} that writes. */
  interface Write {
    Status apply(String table, String key, Map<String, ByteIterator> record);
  }

  @Override
  public void prepare(Requests requests) {
    key = context.keys().key(requests.id(0));
    record = outgoing.of(requests.id(0), requests.version(0));
  }

  @Override
  public Status apply() {
    return write.apply(context.table(), key, record);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
  }
}
