package kvrank.binding;

import java.util.Map;
import java.util.Optional;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * kvrank's encoding of a record for YCSB's field maps: one opaque value in the one field {@link
 * #FIELD}, the same for every engine.
 */
public final class Values {

  /** The name of the only field of a record. */
  public static final String FIELD = "value";

  private Values() {}

  /** Returns a record's value; empty if it has none, or several fields of other names. */
  public static Optional<ByteIterator> value(Map<String, ByteIterator> record) {
    ByteIterator value = record.get(FIELD);
    return value == null && record.size() == 1
        ? Optional.of(record.values().iterator().next())
        : Optional.ofNullable(value);
  }

  /** Puts {@code value} into {@code record}, as a read does. */
  public static void put(Map<String, ByteIterator> record, byte[] value) {
    record.put(FIELD, new ByteArrayByteIterator(value));
  }
}
