package kvrank.binding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Receives the records of a scan, in order. Reused for the next scan. */
public final class RecordBuffer {

  private byte[] bytes = new byte[1 << 10];

  /** End of the key and end of the value of each record, alternating. */
  private int[] ends = new int[32];

  private int size;
  private int limit = Integer.MAX_VALUE;
  private Optional<byte[]> end = Optional.empty();
  private Optional<byte[]> floor = Optional.empty();

  /** Removes the records and the bounds. */
  public void clear() {
    size = 0;
    bound(Optional.empty(), Integer.MAX_VALUE);
  }

  /**
   * Bounds the scan.
   *
   * @param firstUnwanted the first key beyond the scan; empty if it has no end
   * @param most the maximum number of records
   */
  public void bound(Optional<byte[]> firstUnwanted, int most) {
    end = firstUnwanted;
    floor = Optional.empty();
    limit = most;
  }

  /**
   * Bounds a scan in descending order.
   *
   * @param smallest the smallest key of the scan; empty if it has no end
   * @param most the maximum number of records
   */
  public void boundBelow(Optional<byte[]> smallest, int most) {
    end = Optional.empty();
    floor = smallest;
    limit = most;
  }

  /** Returns the maximum number of records. */
  public int limit() {
    return limit;
  }

  /**
   * Adds a copy of a record, unless it is beyond the bounds.
   *
   * @return false if the scan is complete
   */
  public boolean add(byte[] key, byte[] value) {
    return add(key, key.length, value, value.length);
  }

  /** Like {@link #add(byte[], byte[])}, with the first bytes of two arrays. */
  public boolean add(byte[] key, int keyLength, byte[] value, int valueLength) {
    int start = reserve(keyLength, valueLength);
    System.arraycopy(key, 0, bytes, start, keyLength);
    System.arraycopy(value, 0, bytes, start + keyLength, valueLength);
    return wanted();
  }

  /** Like {@link #add(byte[], byte[])}, with the remaining bytes of two buffers. */
  public boolean add(ByteBuffer key, ByteBuffer value) {
    int keyLength = key.remaining();
    int valueLength = value.remaining();
    int start = reserve(keyLength, valueLength);
    key.get(bytes, start, keyLength);
    value.get(bytes, start + keyLength, valueLength);
    return wanted();
  }

  /** Removes the last record if it is beyond the bounds; returns whether the scan goes on. */
  private boolean wanted() {
    int last = size - 1;
    if ((end.isPresent() && compared(last, end.get()) >= 0)
        || (floor.isPresent() && compared(last, floor.get()) < 0)) {
      size = last;
      return false;
    }
    return size < limit;
  }

  private int compared(int i, byte[] key) {
    return Arrays.compareUnsigned(bytes, keyStart(i), keyEnd(i), key, 0, key.length);
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

  /** Returns the number of bytes of all keys and values. */
  public int bytes() {
    return size == 0 ? 0 : ends[2 * size - 1];
  }

  /** Returns the array that holds all keys and values. */
  public byte[] array() {
    return bytes;
  }

  /** Returns the index in {@link #array} at which the key of record {@code i} starts. */
  public int keyStart(int i) {
    return i == 0 ? 0 : ends[2 * i - 1];
  }

  /** Returns the index at which the key of record {@code i} ends and its value starts. */
  public int keyEnd(int i) {
    return ends[2 * i];
  }

  /** Returns the index at which the value of record {@code i} ends. */
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
