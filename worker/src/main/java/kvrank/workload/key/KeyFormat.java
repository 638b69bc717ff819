package kvrank.workload.key;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import kvrank.workload.random.Permutation;

/** Writes record numbers as keys. */
public final class KeyFormat {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The same for every seed, as is the hash of YCSB's keys. */
  private static final long HASH = 0x75736572;

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

  /** The bijection of hashed keys, else null. */
  private final Permutation hash;

  public KeyFormat(KeyShape shape) {
    this.shape = shape;
    this.capacity = shape.capacity();
    this.prefix = shape.prefix().getBytes(StandardCharsets.US_ASCII);
    this.prefixEnd = shape.bytes() - shape.memberDigits();
    this.decimal =
        capacity > 0 && (shape.hashed() || Math.pow(10, shape.memberDigits()) == shape.perPrefix());
    this.hash = shape.hashed() && capacity > 0 ? new Permutation(capacity, HASH) : null;
  }

  public byte[] newKey() {
    return new byte[shape.bytes()];
  }

  public byte[] newPrefix() {
    return new byte[prefixEnd];
  }

  /**
   * Writes the key of record {@code id} to {@code key}.
   *
   * @throws IllegalStateException if keys of this shape cannot hold {@code id}
   */
  public void write(long id, byte[] key) {
    if (id >= capacity) {
      throw full(id);
    }
    if (decimal) {
      // Group and member together have the digits of the record's number.
      System.arraycopy(prefix, 0, key, 0, prefix.length);
      write(hash == null ? id : hash.of(id), key, prefix.length, key.length);
    } else {
      long group = id / shape.perPrefix();
      writePrefix(group, key);
      write(id - group * shape.perPrefix(), key, prefixEnd, key.length);
    }
  }

  /**
   * Writes a key that no record has, of the same length, to {@code key}. It sorts among the keys of
   * the records close to {@code id} and has their prefix: its last digit is a letter.
   */
  public void writeMissing(long id, byte[] key) {
    write(id, key);
    int last = key.length - 1;
    key[last] = (byte) (key[last] + 'a' - '0');
  }

  /** Returns the key of record {@code id} as text. */
  public String key(long id) {
    byte[] key = newKey();
    write(id, key);
    return text(key);
  }

  /** Returns the number of the prefix group of record {@code id}. */
  public long group(long id) {
    return id / shape.perPrefix();
  }

  /** Writes the prefix of the keys of {@code group} to the start of {@code key}. */
  public void writePrefix(long group, byte[] key) {
    System.arraycopy(prefix, 0, key, 0, prefix.length);
    write(group, key, prefix.length, prefixEnd);
  }

  public static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Returns the record whose key is in {@code bytes}; -1 if it is not a key of this shape. */
  public long id(byte[] bytes, int from, int to) {
    int digits = from + prefix.length;
    if (to - from != shape.bytes()
        || !Arrays.equals(bytes, from, digits, prefix, 0, prefix.length)) {
      return -1;
    }
    if (hash != null) {
      long number = number(bytes, digits, to);
      return number < 0 || number >= capacity ? -1 : hash.inverse(number);
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

  /** Writes eight digits at a time, then two, without divisions for leading zeros. */
  private static void write(long number, byte[] key, int from, int to) {
    long rest = number;
    int i = to;
    while (i - from >= Long.BYTES) {
      long quotient = rest / 100_000_000;
      i -= Long.BYTES;
      LONG.set(key, i, eightDigits(rest - quotient * 100_000_000));
      rest = quotient;
    }
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

  /**
   * Returns the eight digits of {@code number}, below 10^8, the first in the lowest byte. Products
   * with fractions slightly above 1/100 and 1/10 replace divisions, exact for four and two digits,
   * several in one multiplication.
   */
  private static long eightDigits(long number) {
    long high = number / 10_000;
    long fours = high | (number - high * 10_000) << 32;
    long hundreds = ((fours * 10_486) >>> 20) & 0x0000_007F_0000_007FL;
    long twos = hundreds | (fours - hundreds * 100) << 16;
    long tens = ((twos * 103) >>> 10) & 0x000F_000F_000F_000FL;
    return (tens | (twos - tens * 10) << 8) + 0x3030_3030_3030_3030L;
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
