package kvrank.binding;

import java.util.Map;
import java.util.Optional;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * How kvrank encodes a record in YCSB's field maps: one opaque value in the field {@link #FIELD}.
 */
public final class Values {

  /** The name of the only field of a record. */
  public static final String FIELD = "value";

  private Values() {}

  /** Returns the field {@link #FIELD} or else the only field; empty if there is neither. */
  public static Optional<ByteIterator> value(Map<String, ByteIterator> record) {
    ByteIterator value = record.get(FIELD);
    return value == null && record.size() == 1
        ? Optional.of(record.values().iterator().next())
        : Optional.ofNullable(value);
  }

  /** Puts {@code value} into {@code record}. */
  public static void put(Map<String, ByteIterator> record, byte[] value) {
    record.put(FIELD, new ByteArrayByteIterator(value));
  }
}
