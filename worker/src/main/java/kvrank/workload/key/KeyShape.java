package kvrank.workload.key;

/**
 * What a key looks like: a fixed number of ASCII digits, ordered as the records are numbered, the
 * number of the prefix group first.
 *
 * @param bytes the length of every key
 * @param perPrefix the number of records that share one prefix; 1 if the whole key is the prefix
 * @param prefix what stands before the digits and counts in the length, in ASCII; empty for nothing
 */
public record KeyShape(int bytes, long perPrefix, String prefix) {

  /** The longest that a key may be. */
  public static final int MOST_BYTES = 65_535;

  /** Keys of 16 bytes, 100 of them under each prefix. */
  public static final KeyShape DEFAULT = new KeyShape(16, 100);

  /** Digits alone. */
  public KeyShape(int bytes, long perPrefix) {
    this(bytes, perPrefix, "");
  }

  /**
   * Returns keys of the length that is nearest to {@code bytes} and has room for so many records.
   */
  public static KeyShape of(double bytes, long perPrefix, long records) {
    KeyShape shape = new KeyShape((int) Math.max(1, Math.round(bytes)), perPrefix);
    while (shape.capacity() < records) {
      shape = new KeyShape(shape.bytes() + 1, perPrefix);
    }
    return shape;
  }

  /** Returns keys of the same length that begin with {@code newPrefix}. */
  public KeyShape under(String newPrefix) {
    return new KeyShape(bytes, perPrefix, newPrefix);
  }

  /** The number of digits. */
  public int digits() {
    return bytes - prefix.length();
  }

  /** The number of digits of a record's number in its group. */
  public int memberDigits() {
    return perPrefix == 1 ? 0 : Long.toString(perPrefix - 1).length();
  }

  /** The number of different keys of this shape, 0 if the prefix has no room. */
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
