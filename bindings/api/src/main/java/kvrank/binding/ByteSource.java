package kvrank.binding;

import java.nio.ByteBuffer;

/**
 * Bytes that are on their way to an engine. A binding copies them once, to where the engine wants
 * them: its buffer, an array of its own, memory outside the heap. They are valid until the call
 * that they were handed to returns.
 */
public interface ByteSource {

  /** Returns the number of bytes. */
  int size();

  /**
   * Returns after how many seconds the engine is to forget the record; 0 for never, which also ends
   * what an earlier value of it had. An engine that does not claim the capability {@code ttl} is
   * given no other.
   */
  default int ttlSeconds() {
    return 0;
  }

  /** Copies all bytes to {@code target}, from {@code offset} on. */
  void copyTo(byte[] target, int offset);

  /** Copies all bytes to {@code target} at its position, and moves that. */
  void copyTo(ByteBuffer target);

  /** Returns an array of these bytes, for an engine that keeps it. */
  default byte[] toByteArray() {
    byte[] bytes = new byte[size()];
    copyTo(bytes, 0);
    return bytes;
  }

  /** Returns the bytes of {@code array}, which is not copied. */
  static ByteSource of(byte[] array) {
    return new ByteSource() {
      @Override
      public int size() {
        return array.length;
      }

      @Override
      public void copyTo(byte[] target, int offset) {
        System.arraycopy(array, 0, target, offset, array.length);
      }

      @Override
      public void copyTo(ByteBuffer target) {
        target.put(array);
      }
    };
  }
}
