package kvrank.workload.key;

/**
 * The format of keys: a fixed number of ASCII digits in the order of records, the number of the
 * prefix group first.
 *
 * @param bytes the length of every key
 * @param perPrefix the number of records that share a prefix; 1 if the whole key is the prefix
 * @param prefix ASCII text before the digits, part of the length; may be empty
 */
public record KeyShape(int bytes, long perPrefix, String prefix) {

  /** Largest length of a key. */
  public static final int MOST_BYTES = 65_535;

  /** Keys of 16 bytes, 100 of them under each prefix. */
  public static final KeyShape DEFAULT = new KeyShape(16, 100);

  /** Keys without text before the digits. */
  public KeyShape(int bytes, long perPrefix) {
    this(bytes, perPrefix, "");
  }

  /** Returns keys of the length closest to {@code bytes} that have room for all records. */
  public static KeyShape of(double bytes, long perPrefix, long records) {
    KeyShape shape = new KeyShape((int) Math.max(1, Math.round(bytes)), perPrefix);
    while (shape.capacity() < records) {
      shape = new KeyShape(shape.bytes() + 1, perPrefix);
    }
    return shape;
  }

  public KeyShape under(String newPrefix) {
    return new KeyShape(bytes, perPrefix, newPrefix);
  }

  public int digits() {
    return bytes - prefix.length();
  }

  /** Returns the number of digits of a record's number in its group. */
  public int memberDigits() {
    return perPrefix == 1 ? 0 : Long.toString(perPrefix - 1).length();
  }

  /** Returns the number of different keys, 0 if the prefix has no room. */
  public long capacity() {
    long capacity = digits() > memberDigits() ? perPrefix : 0;
    for (int digit = memberDigits(); digit < digits(); digit++) {
      if (capacity > Long.MAX_VALUE / 10) {
        return Long.MAX_VALUE;
      }
      capacity *= 10;
    }
    return capacity;
  }
}
