package kvrank.binding;

import java.nio.ByteBuffer;

/**
 * A value to write. A binding copies it once, straight to where the engine needs it: an array, the
 * engine's own buffer, or memory outside of the heap. It is valid during the call only.
 */
public interface ByteSource {

  /** Returns the number of bytes. */
  int size();

  /**
   * Returns the time to live of the record, in seconds. 0 means that it never expires, and removes
   * the time to live of an earlier value. An engine without the capability {@code ttl} always gets
   * 0.
   */
  default int ttlSeconds() {
    return 0;
  }

  /** Copies all bytes to {@code target}, starting at {@code offset}. */
  void copyTo(byte[] target, int offset);

  /** Copies all bytes to {@code target} at its position, and advances the position. */
  void copyTo(ByteBuffer target);

  /** Returns a new array of the bytes, which the engine may keep. */
  default byte[] toByteArray() {
    byte[] bytes = new byte[size()];
    copyTo(bytes, 0);
    return bytes;
  }

  /** Returns a source that reads {@code array}, without a copy. */
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
