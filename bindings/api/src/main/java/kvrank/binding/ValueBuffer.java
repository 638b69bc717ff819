package kvrank.binding;

import java.nio.ByteBuffer;
import java.util.Arrays;
import site.ycsb.ByteIterator;

/**
 * Where a read puts a value; used again for the next. It has memory of the kind that the binding
 * asks for: an array by {@link #heap}, or memory outside the heap by {@link #direct}; the binding
 * writes the value there and says its {@link #length(int) length}. An array that the engine made
 * for this value alone is taken as it is, by {@link #wrap(byte[])}.
 */
public final class ValueBuffer {

  private static final byte[] NONE = {};

  private final int capacity;
  private byte[] own = NONE;
  private NativeMemory outside;

  /** Holds the value's first bytes, unless these are in {@link #outside} or {@link #pending}. */
  private byte[] array = NONE;

  private boolean isOutside;
  private ByteIterator pending;
  private int length = -1;

  /** A buffer without a value. */
  public ValueBuffer() {
    this(0);
  }

  /**
   * A buffer without a value.
   *
   * @param capacity the size of its memory, once it is asked for
   */
  public ValueBuffer(int capacity) {
    this.capacity = capacity;
  }

  /** Forgets the value. */
  public void clear() {
    length = -1;
    pending = null;
    isOutside = false;
  }

  /** Returns an array of its own, for the value to be written to; its length is what it holds. */
  public byte[] heap() {
    return heap(capacity);
  }

  /** Returns an array of its own that holds at least {@code least} bytes. */
  public byte[] heap(int least) {
    if (own.length < least) {
      own = new byte[Math.max(least, 2 * own.length)];
    }
    array = own;
    isOutside = false;
    return own;
  }

  /** Returns memory of its own outside the heap, for the value to be written to. */
  public NativeMemory direct() {
    return direct(Math.max(1, capacity));
  }

  /** Returns memory of its own outside the heap that holds at least {@code least} bytes. */
  public NativeMemory direct(int least) {
    if (outside == null || outside.capacity() < least) {
      outside = NativeMemory.allocate(least);
    }
    isOutside = true;
    return outside;
  }

  /** The value is the first {@code bytes} bytes of the memory that was last asked for. */
  public void length(int bytes) {
    length = bytes;
  }

  /**
   * The value is {@code value}, which nobody changes as long as it is here; null for none.
   *
   * @return whether there is one
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

  /** The value is what {@code value} gives; it is asked when somebody looks at the value. */
  public void wrap(ByteIterator value) {
    pending = value;
    length = 0;
  }

  /** The value is a copy of what remains in {@code value}. */
  public void put(ByteBuffer value) {
    int bytes = value.remaining();
    value.get(heap(bytes), 0, bytes);
    length(bytes);
  }

  /** Returns whether there is a value. */
  public boolean isPresent() {
    return length >= 0;
  }

  /** Returns the value's length in bytes. */
  public int length() {
    drain();
    return length;
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
