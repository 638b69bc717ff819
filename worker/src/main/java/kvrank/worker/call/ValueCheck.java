package kvrank.worker.call;

import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import kvrank.workload.Expirations;
import kvrank.workload.key.KeyFormat;
import kvrank.workload.request.Operation;
import kvrank.workload.value.Value;

/** Checks records against their keys and times to live; does nothing if values are not checked. */
public final class ValueCheck {

  private final boolean enabled;
  private final KeyFormat keys;
  private final Value value;
  private final Expirations expirations;

  public ValueCheck(CallContext context) {
    this.enabled = context.verify();
    this.keys = context.keys();
    this.value = context.values().value();
    this.expirations = context.values().expirations();
  }

  /**
   * Marks {@code result} as wrong if {@code read} is not a value of record {@code id}, or as stale
   * if it had expired when the request began.
   */
  public void check(
      Operation operation, long id, ValueBuffer read, long begun, OperationResult result) {
    if (!enabled && !expirations.known()) {
      return;
    }
    if (read.isPresent() && value.matches(read.array(), 0, read.length(), id)) {
      if (expirations.known() && expirations.stale(value.token(), begun)) {
        result.stale();
      }
    } else if (enabled) {
      wrong(operation, keys.key(id), result);
    }
  }

  /** Marks {@code result} as wrong if the value does not match its key. */
  public void check(Operation operation, RecordBuffer records, int i, OperationResult result) {
    if (!enabled) {
      return;
    }
    byte[] bytes = records.array();
    long id = keys.id(bytes, records.keyStart(i), records.keyEnd(i));
    boolean foreign = id < 0 && operation == Operation.RANGE_SCAN;
    if (!foreign && !value.matches(bytes, records.keyEnd(i), records.valueEnd(i), id)) {
      wrong(operation, KeyFormat.text(records.key(i)), result);
    }
  }

  private static void wrong(Operation operation, String key, OperationResult result) {
    result.wrong(operation, key, "the value was not written under this key");
  }
}
