package kvrank.worker;

import java.util.HashMap;
import java.util.Map;
import kvrank.binding.Values;
import kvrank.workload.Value;
import site.ycsb.ByteIterator;

/** The fields of a record on its way to a binding, reusable for the next record. */
final class OutgoingRecord {

  private final ValueIterator iterator;
  private final Map<String, ByteIterator> fields = new HashMap<>();

  OutgoingRecord(Value value) {
    this.iterator = new ValueIterator(value);
    this.fields.put(Values.FIELD, iterator);
  }

  /** The fields for {@code version} of record {@code id}. */
  Map<String, ByteIterator> of(long id, long version) {
    iterator.set(id, version);
    return fields;
  }
}
