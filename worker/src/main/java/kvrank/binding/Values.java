package kvrank.binding;

import java.util.Map;
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

  /** The bytes of a record's value. The iterator is consumed. */
  public static byte[] bytes(Map<String, ByteIterator> record) {
    ByteIterator value = record.get(FIELD);
    if (value == null && record.size() == 1) {
      value = record.values().iterator().next();
    }
    if (value == null) {
      throw new IllegalArgumentException(
          "a record of kvrank has one field, this one has " + record.keySet());
    }
    return value.toArray();
  }

  /** Puts {@code value} into {@code record}, as a read does. */
  public static void put(Map<String, ByteIterator> record, byte[] value) {
    record.put(FIELD, new ByteArrayByteIterator(value));
  }
}
