package kvrank.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvrank.binding.BatchOperations;
import kvrank.workload.Requests;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Inserts or updates several records in one request. */
final class BatchWriteCall implements Call {

  private final CallContext context;
  private final BatchOperations engine;
  private final List<OutgoingRecord> outgoing = new ArrayList<>();
  private final List<String> keys;
  private final List<Map<String, ByteIterator>> records;

  BatchWriteCall(CallContext context, BatchOperations engine, int batch) {
    this.context = context;
    this.engine = engine;
    for (int i = 0; i < batch; i++) {
      outgoing.add(new OutgoingRecord(context.values().value()));
    }
    this.keys = new ArrayList<>(batch);
    this.records = new ArrayList<>(batch);
  }

  @Override
  public void prepare(Requests requests) {
    keys.clear();
    records.clear();
    for (int i = 0; i < requests.size(); i++) {
      keys.add(context.keys().key(requests.id(i)));
      records.add(outgoing.get(i).of(requests.id(i), requests.version(i)));
    }
  }

  @Override
  public Status apply() {
    return engine.batchInsert(context.table(), keys, records);
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, keys.size());
  }
}
