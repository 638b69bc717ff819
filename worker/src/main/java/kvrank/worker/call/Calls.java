package kvrank.worker.call;

import kvrank.binding.BatchOperations;
import kvrank.binding.KeyValueStore;
import kvrank.binding.PrefixScan;
import kvrank.workload.request.Operation;
import site.ycsb.DB;

/** The calls of one thread in one phase. */
public final class Calls {

  private final Call[] calls = new Call[Operation.values().length];

  /**
   * @param batch the number of records in a request for point operations
   */
  public Calls(CallContext context, int batch) {
    this(context, batch, false);
  }

  /**
   * @param batch the number of records in a request for point operations
   * @param reverse whether scans are in descending key order; if so, the binding has them
   */
  public Calls(CallContext context, int batch, boolean reverse) {
    DB binding = context.binding();
    KeyValueStore store = context.store();
    put(Operation.READ_MODIFY_WRITE, new ReadModifyWriteCall(context));
    put(Operation.RANGE_SCAN, new RangeScanCall(context, reverse));
    put(Operation.ITERATE, new IterateCall(context));
    if (binding instanceof PrefixScan engine) {
      put(Operation.PREFIX_SCAN, new PrefixScanCall(context, engine, reverse));
    }
    if (batch == 1) {
      put(Operation.READ, new ReadCall(context));
      put(Operation.READ_MISSING, new ReadMissingCall(context, 1));
      put(Operation.INSERT, new WriteCall(context, store::insert));
      put(Operation.UPDATE, new WriteCall(context, store::update));
      put(Operation.DELETE, new DeleteCall(context));
      put(Operation.FILL, new WriteCall(context, store::update));
    } else if (binding instanceof BatchOperations engine) {
      put(Operation.READ, new BatchReadCall(context, engine, batch));
      put(Operation.READ_MISSING, new ReadMissingCall(context, batch));
      put(Operation.INSERT, new BatchWriteCall(context, engine, batch));
      put(Operation.UPDATE, new BatchWriteCall(context, engine, batch));
      put(Operation.DELETE, new BatchDeleteCall(context, engine, batch));
      put(Operation.FILL, new BatchWriteCall(context, engine, batch));
    }
  }

  private void put(Operation operation, Call call) {
    calls[operation.index()] = call;
  }

  /** Returns the call for {@code operation}, which the binding must support. */
  public Call of(Operation operation) {
    return calls[operation.index()];
  }
}
