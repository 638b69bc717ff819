package kvrank.binding;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Where a scan puts records, in their order; used again for the next. */
public final class RecordBuffer {

  private byte[] bytes = new byte[1 << 10];

  /** Where each record's key ends, and its value. */
  private int[] ends = new int[32];

  private int size;

  /** Forgets the records. */
  public void clear() {
    size = 0;
  }

  /** Adds a copy of a record. */
  public void add(byte[] key, byte[] value) {
    add(key, key.length, value, value.length);
  }

  /** Adds a copy of the record of the first bytes of {@code key} and of {@code value}. */
  public void add(byte[] key, int keyLength, byte[] value, int valueLength) {
    int end = reserve(keyLength, valueLength);
    System.arraycopy(key, 0, bytes, end, keyLength);
    System.arraycopy(value, 0, bytes, end + keyLength, valueLength);
  }

  /** Adds a copy of the record of what remains in {@code key} and in {@code value}. */
  public void add(ByteBuffer key, ByteBuffer value) {
    int keyLength = key.remaining();
    int valueLength = value.remaining();
    int end = reserve(keyLength, valueLength);
    key.get(bytes, end, keyLength);
    value.get(bytes, end + keyLength, valueLength);
  }

  private int reserve(int keyLength, int valueLength) {
    int end = size == 0 ? 0 : ends[2 * size - 1];
    int endOfKey = Math.addExact(end, keyLength);
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
    return end;
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
