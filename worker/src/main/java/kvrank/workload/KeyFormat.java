package kvrank.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes record numbers as keys. */
public final class KeyFormat {

  private static final byte[] TENS = new byte[100];
  private static final byte[] ONES = new byte[100];

  static {
    for (int pair = 0; pair < 100; pair++) {
      TENS[pair] = (byte) ('0' + pair / 10);
      ONES[pair] = (byte) ('0' + pair % 10);
    }
  }

  private final KeyShape shape;
  private final long capacity;
  private final byte[] prefix;
  private final int prefixEnd;
  private final boolean decimal;

  public KeyFormat(KeyShape shape) {
    this.shape = shape;
    this.capacity = shape.capacity();
    this.prefix = shape.prefix().getBytes(StandardCharsets.US_ASCII);
    this.prefixEnd = shape.bytes() - shape.memberDigits();
    this.decimal = capacity > 0 && Math.pow(10, shape.memberDigits()) == shape.perPrefix();
  }

  /** Returns an array for {@link #write}: keys are of one length. */
  public byte[] newKey() {
    return new byte[shape.bytes()];
  }

  /** Returns an array for {@link #writePrefix}. */
  public byte[] newPrefix() {
    return new byte[prefixEnd];
  }

  /**
   * Writes the key of record {@code id}, which is all of {@code key}.
   *
   * @throws IllegalStateException if keys of this shape cannot hold {@code id}
   */
  public void write(long id, byte[] key) {
    if (id >= capacity) {
      throw full(id);
    }
    if (decimal) {
      // The group's number followed by the member's is the record's number itself.
      System.arraycopy(prefix, 0, key, 0, prefix.length);
      write(id, key, prefix.length, key.length);
    } else {
      long group = id / shape.perPrefix();
      writePrefix(group, key);
      write(id - group * shape.perPrefix(), key, prefixEnd, key.length);
    }
  }

  /** Returns the key of record {@code id} as text, for people. */
  public String key(long id) {
    byte[] key = newKey();
    write(id, key);
    return text(key);
  }

  /** The number of the prefix group of record {@code id}. */
  public long group(long id) {
    return id / shape.perPrefix();
  }

  /** Writes the prefix of the keys of {@code group}, with which {@code key} begins then. */
  public void writePrefix(long group, byte[] key) {
    System.arraycopy(prefix, 0, key, 0, prefix.length);
    write(group, key, prefix.length, prefixEnd);
  }

  /** Returns {@code key} as text, for people. */
  public static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Returns the record whose key is in {@code bytes}; -1 if it is no key of this shape. */
  public long id(byte[] bytes, int from, int to) {
    int digits = from + prefix.length;
    if (to - from != shape.bytes()
        || !Arrays.equals(bytes, from, digits, prefix, 0, prefix.length)) {
      return -1;
    }
    long group = number(bytes, digits, from + prefixEnd);
    long member = number(bytes, from + prefixEnd, to);
    return group < 0 || member < 0 ? -1 : group * shape.perPrefix() + member;
  }

  private static long number(byte[] bytes, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /**
   * Two digits at a time, and no division for leading zeros: a tenth of what an operation costs.
   */
  private static void write(long number, byte[] key, int from, int to) {
    long rest = number;
    int i = to;
    while (rest >= 10 && i - from >= 2) {
      long quotient = rest / 100;
      int pair = (int) (rest - quotient * 100);
      key[--i] = ONES[pair];
      key[--i] = TENS[pair];
      rest = quotient;
    }
    if (i > from) {
      key[--i] = ONES[(int) (rest % 10)];
    }
    while (i > from) {
      key[--i] = '0';
    }
  }

  private IllegalStateException full(long id) {
    return new IllegalStateException(
        "keys of "
            + shape.bytes()
            + " bytes"
            + (prefix.length > 0 ? ", " + prefix.length + " of them '" + shape.prefix() + "'," : "")
            + " with "
            + shape.perPrefix()
            + " records per prefix hold "
            + capacity
            + " records, record number "
            + id
            + " does not fit; use longer keys");
  }
}
