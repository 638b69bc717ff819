package kvrank.workload.key;

/**
 * The format of keys: a fixed number of ASCII digits in the order of records, the number of the
 * prefix group first; or hashed ones, which scatter consecutive records over all keys.
 *
 * @param bytes the length of every key
 * @param perPrefix the number of records that share a prefix; 1 if the whole key is the prefix
 * @param prefix ASCII text before the digits, part of the length; may be empty
 * @param hashed whether a bijection of the record's number gives the digits; without prefix groups
 *     then
 */
public record KeyShape(int bytes, long perPrefix, String prefix, boolean hashed) {

  /** Largest length of a key. */
  public static final int MOST_BYTES = 65_535;

  /** Keys of 16 bytes, 100 of them under each prefix. */
  public static final KeyShape DEFAULT = new KeyShape(16, 100);

  /** Hashed numbers have at most this many bits, which 19 digits hold. */
  private static final int MOST_HASHED_BITS = 62;

  /** Keys in the order of records, without text before the digits. */
  public KeyShape(int bytes, long perPrefix) {
    this(bytes, perPrefix, "", false);
  }

  /** Hashed keys without text before the digits. */
  public static KeyShape hashed(int bytes) {
    return new KeyShape(bytes, 1, "", true);
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
    return new KeyShape(bytes, perPrefix, newPrefix, hashed);
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
    if (hashed) {
      int bits = (int) Math.floor(Math.max(0, digits()) * (Math.log(10) / Math.log(2)));
      return digits() < 1 ? 0 : 1L << Math.min(MOST_HASHED_BITS, bits);
    }
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
