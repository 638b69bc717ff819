package kvrank.worker.call;

import java.util.Arrays;
import kvrank.binding.RecordBuffer;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Operation;

/** Checks and measures the records that a scan returns: number, order, range and values. */
final class ScanCheck {

  private final CallContext context;
  private final Operation operation;
  private final boolean reverse;
  private final ValueCheck values;

  /**
   * @param reverse whether the scans are in descending key order
   */
  ScanCheck(CallContext context, Operation operation, boolean reverse) {
    this.reverse = reverse;
    this.context = context;
    this.operation = operation;
    this.values = new ValueCheck(context);
  }

  /**
   * Marks {@code result} as wrong if {@code records} are.
   *
   * @param start the prefix, or the key from which a range goes on
   * @param limit the number of requested records
   */
  void check(long first, byte[] start, int limit, RecordBuffer records, OperationResult result) {
    String scan = KeyFormat.text(start);
    int size = records.size();
    result.read(records.bytes());
    if (size > limit) {
      result.wrong(operation, scan, size + " records instead of at most " + limit);
    }
    if (context.population().isPresent()) {
      Population population = context.population().get();
      // The records after a hashed or a new key are unknown, but the scan's own exists.
      boolean unknown = context.dataset().keys().hashed() || first >= population.records();
      long own = population.has(first) ? 1 : 0;
      boolean before = reverse && operation == Operation.RANGE_SCAN;
      long ordered = before ? first + 1 : population.records() - first;
      long there = Math.min(limit, unknown ? own : ordered);
      // On a shared server, other keys may follow the last one of a range.
      boolean counted = operation == Operation.PREFIX_SCAN && !population.grows();
      if (size < there || (counted && size > there)) {
        result.wrong(operation, scan, size + " records although there are " + there);
      }
    }
    for (int i = 0; i < size; i++) {
      // YCSB's API gives no keys.
      if (records.keyEnd(i) == records.keyStart(i)) {
        continue;
      }
      if (!isInside(start, records, i)) {
        result.wrong(operation, scan, "returned " + key(records, i));
      } else if (i > 0
          && (reverse ? compare(records, i, i - 1) : compare(records, i - 1, i)) >= 0) {
        result.wrong(
            operation, scan, "returned " + key(records, i) + " after " + key(records, i - 1));
      } else {
        values.check(operation, records, i, result);
      }
    }
  }

  private boolean isInside(byte[] start, RecordBuffer records, int i) {
    int from = records.keyStart(i);
    int to = records.keyEnd(i);
    if (operation == Operation.PREFIX_SCAN) {
      return Arrays.equals(
          records.array(), from, Math.min(from + start.length, to), start, 0, start.length);
    }
    int place = Arrays.compareUnsigned(records.array(), from, to, start, 0, start.length);
    return reverse ? place <= 0 : place >= 0;
  }

  private static int compare(RecordBuffer records, int i, int j) {
    byte[] bytes = records.array();
    return Arrays.compareUnsigned(
        bytes,
        records.keyStart(i),
        records.keyEnd(i),
        bytes,
        records.keyStart(j),
        records.keyEnd(j));
  }

  private static String key(RecordBuffer records, int i) {
    return KeyFormat.text(records.key(i));
  }
}
