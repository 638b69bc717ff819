package kvrank.worker;

import java.util.Map;
import kvrank.binding.Values;
import kvrank.workload.Operation;
import kvrank.workload.Value;
import site.ycsb.ByteIterator;

/** Checks records that were read against their keys, or does nothing. */
final class ValueCheck {

  private final boolean enabled;
  private final Value value;

  ValueCheck(CallContext context) {
    this.enabled = context.verify();
    this.value = context.values().value();
  }

  /** Tells {@code result} if {@code record} is not the record of {@code id}. */
  void check(
      Operation operation,
      String key,
      long id,
      Map<String, ByteIterator> record,
      OperationResult result) {
    if (enabled && !matches(record, id)) {
      result.wrong(operation, key, "the value read is not one that was written under this key");
    }
  }

  private boolean matches(Map<String, ByteIterator> record, long id) {
    try {
      return value.matches(Values.bytes(record), id);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
