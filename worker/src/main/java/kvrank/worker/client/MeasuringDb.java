package kvrank.worker.client;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.function.Supplier;
import kvrank.worker.call.OperationResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.request.Operation;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** The binding as a YCSB workload sees it: measures each call by its status. For one thread. */
final class MeasuringDb extends DB {

  /** The due time of calls that are measured from their own start. */
  static final long AT_ONCE = -1;

  private final DB binding;
  private final OperationRecorder recorder;
  private final OperationResult result = new OperationResult();
  private long origin;
  private long due;
  private boolean counts;
  private boolean failed;
  private WorkerException hopeless;

  MeasuringDb(DB binding, OperationRecorder recorder) {
    this.binding = binding;
    this.recorder = recorder;
  }

  /**
   * Begins a transaction.
   *
   * @param start the start of the phase, by {@link System#nanoTime}
   * @param dueNanos when the transaction was due, or {@link #AT_ONCE}
   * @param transactionCounts whether its calls count
   */
  void begin(long start, long dueNanos, boolean transactionCounts) {
    origin = start;
    due = dueNanos;
    counts = transactionCounts;
    failed = false;
  }

  void end() throws WorkerException {
    if (hopeless != null) {
      throw hopeless;
    }
  }

  boolean failed() {
    return failed;
  }

  private Status measure(Operation operation, Supplier<Status> call) {
    long start = System.nanoTime() - origin;
    Status status;
    try {
      status = call.get();
    } catch (RuntimeException | LinkageError | AssertionError e) {
      status = recorder.threw(operation, e);
    }
    long end = System.nanoTime() - origin;
    result.set(status, 1);
    failed |= result.errors() > 0;
    try {
      recorder.enter(counts, operation, result, due == AT_ONCE ? start : due, start, end);
    } catch (WorkerException e) {
      hopeless = e;
    }
    due = AT_ONCE;
    return status;
  }

  @Override
  public Properties getProperties() {
    return binding.getProperties();
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return measure(Operation.READ, () -> binding.read(table, key, fields, result));
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's API
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return measure(
        Operation.RANGE_SCAN, () -> binding.scan(table, startKey, recordCount, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return measure(Operation.UPDATE, () -> binding.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return measure(Operation.INSERT, () -> binding.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return measure(Operation.DELETE, () -> binding.delete(table, key));
  }
}
