package kvrank.worker.call;

import kvrank.binding.BatchOperations;
import kvrank.binding.PrefixScan;
import kvrank.workload.request.Operation;

/** The calls of one thread in one phase, each made at its first use: its buffers may be large. */
public final class Calls {

  private final CallContext context;
  private final int batch;
  private final boolean reverse;
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
    this.context = context;
    this.batch = batch;
    this.reverse = reverse;
  }

  /** Returns the call for {@code operation}, which the binding must support. */
  public Call of(Operation operation) {
    Call call = calls[operation.index()];
    return call != null ? call : make(operation);
  }

  private Call make(Operation operation) {
    Call call = batch == 1 ? single(operation) : batched(operation);
    calls[operation.index()] = call;
    return call;
  }

  private Call single(Operation operation) {
    return switch (operation) {
      case READ -> new ReadCall(context);
      case READ_MISSING -> new ReadMissingCall(context, 1);
      case INSERT -> new WriteCall(context, context.store()::insert);
      case UPDATE, FILL -> new WriteCall(context, context.store()::update);
      case DELETE -> new DeleteCall(context);
      default -> alone(operation);
    };
  }

  private Call batched(Operation operation) {
    return switch (operation) {
      case READ -> new BatchReadCall(context, batches(), batch);
      case READ_MISSING -> new ReadMissingCall(context, batch);
      case INSERT -> new BatchWriteCall(context, batches()::batchInsert, batch);
      case UPDATE, FILL -> new BatchWriteCall(context, batches()::batchUpdate, batch);
      case DELETE -> new BatchDeleteCall(context, batches(), batch);
      default -> alone(operation);
    };
  }

  private BatchOperations batches() {
    return (BatchOperations) context.binding();
  }

  /** Returns the call for an operation that is never in a batch. */
  private Call alone(Operation operation) {
    return switch (operation) {
      case READ_MODIFY_WRITE -> new ReadModifyWriteCall(context);
      case RANGE_SCAN -> new RangeScanCall(context, reverse);
      case PREFIX_SCAN -> new PrefixScanCall(context, (PrefixScan) context.binding(), reverse);
      case ITERATE -> new IterateCall(context);
      default -> throw new IllegalArgumentException(operation + " is not a request");
    };
  }
}
