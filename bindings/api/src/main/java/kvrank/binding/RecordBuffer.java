package kvrank.binding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Where a scan puts records, in their order; used again for the next. */
public final class RecordBuffer {

  private byte[] bytes = new byte[1 << 10];

  /** Where each record's key ends, and its value. */
  private int[] ends = new int[32];

  private int size;
  private int limit = Integer.MAX_VALUE;
  private Optional<byte[]> end = Optional.empty();

  /** Forgets the records and the bounds. */
  public void clear() {
    size = 0;
    bound(Optional.empty(), Integer.MAX_VALUE);
  }

  /**
   * Says which records are wanted.
   *
   * @param firstUnwanted the first key that is not wanted, if there is such a key
   * @param most the most records
   */
  public void bound(Optional<byte[]> firstUnwanted, int most) {
    end = firstUnwanted;
    limit = most;
  }

  /** Returns the most records that it wants. */
  public int limit() {
    return limit;
  }

  /** Adds a copy of a record, if it is wanted; returns whether the next one may be. */
  public boolean add(byte[] key, byte[] value) {
    return add(key, key.length, value, value.length);
  }

  /**
   * Adds a copy of the record of the first bytes of {@code key} and of {@code value}, if it is
   * wanted; returns whether the next one may be.
   */
  public boolean add(byte[] key, int keyLength, byte[] value, int valueLength) {
    int start = reserve(keyLength, valueLength);
    System.arraycopy(key, 0, bytes, start, keyLength);
    System.arraycopy(value, 0, bytes, start + keyLength, valueLength);
    return wanted();
  }

  /**
   * Adds a copy of the record of what remains in {@code key} and in {@code value}, if it is wanted;
   * returns whether the next one may be.
   */
  public boolean add(ByteBuffer key, ByteBuffer value) {
    int keyLength = key.remaining();
    int valueLength = value.remaining();
    int start = reserve(keyLength, valueLength);
    key.get(bytes, start, keyLength);
    value.get(bytes, start + keyLength, valueLength);
    return wanted();
  }

  /** Takes the last record back if it is not wanted. */
  private boolean wanted() {
    int last = size - 1;
    if (end.isPresent()
        && Arrays.compareUnsigned(
                bytes, keyStart(last), keyEnd(last), end.get(), 0, end.get().length)
            >= 0) {
      size = last;
      return false;
    }
    return size < limit;
  }

  private int reserve(int keyLength, int valueLength) {
    int start = size == 0 ? 0 : ends[2 * size - 1];
    int endOfKey = Math.addExact(start, keyLength);
    int endOfValue = Math.addExact(endOfKey, valueLength);
    if (bytes.length < endOfValue) {
      bytes = Arrays.copyOf(bytes, Math.max(endOfValue, 2 * bytes.length));
    }
    if (ends.length == 2 * size) {
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    ends[2 * size] = endOfKey;
    ends[2 * size + 1] = endOfValue;
    size++;
    return start;
  }

  /** Returns the number of records. */
  public int size() {
    return size;
  }

  /** Returns the array that holds all keys and values. */
  public byte[] array() {
    return bytes;
  }

  /** Returns where in {@link #array} the key of record {@code i} begins. */
  public int keyStart(int i) {
    return i == 0 ? 0 : ends[2 * i - 1];
  }

  /** Returns where the key of record {@code i} ends and its value begins. */
  public int keyEnd(int i) {
    return ends[2 * i];
  }

  /** Returns where the value of record {@code i} ends. */
  public int valueEnd(int i) {
    return ends[2 * i + 1];
  }

  /** Returns a copy of the key of record {@code i}. */
  public byte[] key(int i) {
    return Arrays.copyOfRange(bytes, keyStart(i), keyEnd(i));
  }

  /** Returns a copy of the value of record {@code i}. */
  public byte[] value(int i) {
    return Arrays.copyOfRange(bytes, keyEnd(i), valueEnd(i));
  }
}
