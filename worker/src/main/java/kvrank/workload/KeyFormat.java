package kvrank.workload;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes record numbers as keys. Reuses a buffer, so each thread needs its own. */
public final class KeyFormat {

  private final KeyShape shape;
  private final long capacity;
  private final int prefixDigits;
  private final boolean decimal;
  private final byte[] key;

  public KeyFormat(KeyShape shape) {
    this.shape = requireNonNull(shape, "shape is null");
    this.capacity = shape.capacity();
    this.prefixDigits = shape.bytes() - shape.memberDigits();
    this.decimal = capacity > 0 && Math.pow(10, shape.memberDigits()) == shape.perPrefix();
    this.key = new byte[shape.bytes()];
  }

  /**
   * The key of record {@code id}.
   *
   * @throws IllegalStateException if keys of this shape cannot hold {@code id}
   */
  public String key(long id) {
    if (id >= capacity) {
      throw full(id);
    }
    if (decimal) {
      // The group's number followed by the member's is the record's number itself.
      write(id, 0, key.length);
    } else {
      long group = id / shape.perPrefix();
      write(group, 0, prefixDigits);
      write(id - group * shape.perPrefix(), prefixDigits, key.length);
    }
    return new String(key, 0, key.length, StandardCharsets.ISO_8859_1);
  }

  /** The number of the prefix group of record {@code id}. */
  public long group(long id) {
    return id / shape.perPrefix();
  }

  /** The prefix of the keys of {@code group}. */
  public String prefix(long group) {
    write(group, 0, prefixDigits);
    return new String(key, 0, prefixDigits, StandardCharsets.ISO_8859_1);
  }

  /** The record of {@code key}; -1 if it is no key of this shape. */
  public long id(String key) {
    if (key.length() != this.key.length) {
      return -1;
    }
    long group = number(key, 0, prefixDigits);
    long member = number(key, prefixDigits, key.length());
    return group < 0 || member < 0 ? -1 : group * shape.perPrefix() + member;
  }

  private static long number(String key, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = key.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /** Divides only as often as the number has digits, which is rarely as long as the key. */
  private void write(long number, int from, int to) {
    long rest = number;
    int first = to;
    while (rest != 0 && first > from) {
      long quotient = rest / 10;
      key[--first] = (byte) ('0' + (rest - quotient * 10));
      rest = quotient;
    }
    Arrays.fill(key, from, first, (byte) '0');
  }

  private IllegalStateException full(long id) {
    return new IllegalStateException(
        "keys of "
            + shape.bytes()
            + " bytes with "
            + shape.perPrefix()
            + " records per prefix hold "
            + capacity
            + " records, record number "
            + id
            + " does not fit; use longer keys");
  }
}
