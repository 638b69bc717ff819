package kvrank.binding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import site.ycsb.ByteIterator;

/**
 * Receives the value of a read. Reused for the next read. A binding has three ways to fill it:
 *
 * <ul>
 *   <li>write to the array of {@link #heap} or the memory of {@link #direct}, then set the {@link
 *       #length(int) length};
 *   <li>copy a buffer with {@link #put};
 *   <li>hand over an array that the engine made for this value, with {@link #wrap(byte[])}.
 * </ul>
 */
public final class ValueBuffer {

  private static final byte[] NONE = {};

  private final int capacity;
  private byte[] own = NONE;
  private NativeMemory outside;

  /** Holds the value, unless it is in {@link #outside} or {@link #pending}. */
  private byte[] array = NONE;

  private boolean isOutside;
  private ByteIterator pending;
  private int length = -1;

  /** Makes an empty buffer. */
  public ValueBuffer() {
    this(0);
  }

  /**
   * Makes an empty buffer.
   *
   * @param capacity the size of its memory in bytes, which is allocated when it is first used
   */
  public ValueBuffer(int capacity) {
    this.capacity = capacity;
  }

  /** Removes the value. */
  public void clear() {
    length = -1;
    pending = null;
    isOutside = false;
  }

  /** Returns an array of the buffer's capacity to write the value to. */
  public byte[] heap() {
    return heap(capacity);
  }

  /** Returns an array of at least {@code least} bytes to write the value to. */
  public byte[] heap(int least) {
    if (own.length < least) {
      own = new byte[Math.max(least, 2 * own.length)];
    }
    array = own;
    isOutside = false;
    return own;
  }

  /** Returns memory outside of the heap, of the buffer's capacity, to write the value to. */
  public NativeMemory direct() {
    return direct(Math.max(1, capacity));
  }

  /** Returns memory outside of the heap, of at least {@code least} bytes, to write the value to. */
  public NativeMemory direct(int least) {
    if (outside == null || outside.capacity() < least) {
      outside = NativeMemory.allocate(least);
    }
    isOutside = true;
    return outside;
  }

  /** Sets the length of the value, which is in the memory that was returned last. */
  public void length(int bytes) {
    length = bytes;
  }

  /**
   * Sets the value to an array, without a copy. Nothing may change the array until the next read.
   *
   * @param value the value, or null if there is none
   * @return whether there is a value
   */
  public boolean wrap(byte[] value) {
    if (value == null) {
      clear();
      return false;
    }
    array = value;
    isOutside = false;
    length = value.length;
    return true;
  }

  /** Sets the value to the bytes of an iterator, which is read when the value is used. */
  public void wrap(ByteIterator value) {
    pending = value;
    length = 0;
  }

  /** Sets the value to a copy of the remaining bytes of {@code value}. */
  public void put(ByteBuffer value) {
    int bytes = value.remaining();
    value.get(heap(bytes), 0, bytes);
    length(bytes);
  }

  /** Returns whether there is a value. */
  public boolean isPresent() {
    return length >= 0;
  }

  /** Returns the length of the value in bytes. */
  public int length() {
    return pending == null ? length : Math.toIntExact(pending.bytesLeft());
  }

  /** Returns an array whose first {@link #length()} bytes are the value. */
  public byte[] array() {
    drain();
    if (isOutside) {
      outside.buffer().get(0, heap(length), 0, length);
    }
    return array;
  }

  /** Returns a copy of the value. */
  public byte[] toByteArray() {
    return Arrays.copyOf(array(), length());
  }

  private void drain() {
    if (pending != null) {
      byte[] drained = pending.toArray();
      pending = null;
      wrap(drained);
    }
  }
}
