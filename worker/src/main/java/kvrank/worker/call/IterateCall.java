package kvrank.worker.call;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import kvrank.binding.RecordBuffer;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import site.ycsb.Status;

/**
 * Walks over all records in key order and counts them: one request, in range scans that each begin
 * after the last key of the previous one. A binding that returns no keys gets a single scan.
 */
final class IterateCall implements Call {

  /** Fits into the caches of a core, and makes the cost of the seeks in between negligible. */
  private static final int MOST_RECORDS = 1_000;

  private static final int MOST_BYTES = 4 << 20;

  private final CallContext context;
  private final ValueCheck values;
  private final boolean keyless;

  /** Whether each key is checked, not only the last of a scan. */
  private final boolean each;

  private final int chunk;
  private final byte[] prefix;
  private final byte[] start;
  private final RecordBuffer records = new RecordBuffer();
  private final OperationResult found = new OperationResult();
  private long seen;

  IterateCall(CallContext context) {
    this.context = context;
    this.values = new ValueCheck(context);
    this.keyless = context.store() instanceof YcsbStore;
    int record = context.dataset().keys().bytes() + context.values().maxBytes();
    this.chunk =
        keyless
            ? (int) Math.min(Integer.MAX_VALUE, context.dataset().records() + 1)
            : Math.max(1, Math.min(MOST_RECORDS, MOST_BYTES / record));
    this.prefix = context.dataset().keys().prefix().getBytes(StandardCharsets.US_ASCII);
    this.each = context.verify() || prefix.length > 0;
    this.start = context.keys().newKey();
  }

  @Override
  public void prepare(Requests requests) {
    Arrays.fill(start, (byte) '0');
    System.arraycopy(prefix, 0, start, 0, prefix.length);
    seen = 0;
    found.set(Status.OK, 0);
  }

  @Override
  public Status apply() {
    Status status;
    do {
      records.clear();
      status = context.store().scan(start, chunk, records);
    } while (goesOn(status));
    return status;
  }

  /** Counts the records of a scan; returns whether there may be more. */
  private boolean goesOn(Status status) {
    int size = records.size();
    found.read(records.bytes());
    context.walked().add(size);
    if (!Status.OK.equals(status) || size == 0) {
      return false;
    }
    if (keyless) {
      seen += size;
      return false;
    }
    for (int i = each ? 0 : size - 1; i < size; i++) {
      byte[] bytes = records.array();
      int from = records.keyStart(i);
      int to = records.keyEnd(i);
      if (!Arrays.equals(
          bytes, from, Math.min(from + prefix.length, to), prefix, 0, prefix.length)) {
        return false; // a foreign key on a shared server
      }
      if (to - from != start.length
          || Arrays.compareUnsigned(bytes, from, to, start, 0, start.length) < 0) {
        String key = KeyFormat.text(records.key(i));
        found.wrong(Operation.ITERATE, KeyFormat.text(start), "returned " + key);
        return false;
      }
      values.check(Operation.ITERATE, records, i, found);
      seen += each ? 1 : size;
      System.arraycopy(bytes, from, start, 0, start.length);
      start[start.length - 1]++; // a digit, so no key is between
    }
    return size >= chunk;
  }

  @Override
  public void judge(Status status, OperationResult result) {
    result.set(status, 1);
    if (result.errors() > 0) {
      return;
    }
    boolean stores = !(context.binding() instanceof NoopBinding);
    result.set(Status.OK, stores ? seen : context.dataset().records());
    result.add(found);
    if (context.population().isPresent()) {
      Population population = context.population().get();
      long there = population.records();
      if (seen < there || (seen > there && !population.grows())) {
        result.wrong(
            Operation.ITERATE, "of all keys", seen + " records although there are " + there);
      }
    }
  }
}
