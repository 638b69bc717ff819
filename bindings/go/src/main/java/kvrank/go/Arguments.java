package kvrank.go;

import java.nio.ByteBuffer;
import kvrank.binding.ByteSource;
import kvrank.binding.NativeMemory;

/** Memory in which the arguments of a call stand one after the other. */
final class Arguments {

  private NativeMemory memory = NativeMemory.allocate(4096);
  private ByteBuffer buffer = memory.buffer();

  /** Returns this without anything in it. */
  Arguments clear() {
    buffer.clear();
    return this;
  }

  Arguments add(byte[] bytes) {
    reserve(bytes.length).put(bytes);
    return this;
  }

  Arguments add(ByteSource bytes) {
    bytes.copyTo(reserve(bytes.size()));
    return this;
  }

  /** Adds {@code bytes} with their length before them. */
  Arguments addSized(byte[] bytes) {
    reserve(Integer.BYTES).putInt(bytes.length);
    return add(bytes);
  }

  /** Adds {@code bytes} with their time to live, if they have one, and their length before them. */
  Arguments addSized(ByteSource bytes) {
    if (bytes.ttlSeconds() > 0) {
      addLength(GoLibrary.EXPIRING).addLength(bytes.ttlSeconds());
    }
    reserve(Integer.BYTES).putInt(bytes.size());
    return add(bytes);
  }

  /** Adds a length without bytes. */
  Arguments addLength(int length) {
    reserve(Integer.BYTES).putInt(length);
    return this;
  }

  /** Returns where the first one begins; another call of {@code add} may move it. */
  long address() {
    return memory.address();
  }

  /** Returns their length in bytes. */
  int length() {
    return buffer.position();
  }

  private ByteBuffer reserve(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = buffer.position() + bytes;
      if (needed < 0) {
        throw new IllegalArgumentException("one call takes at most 2147483647 bytes");
      }
      NativeMemory larger = NativeMemory.allocate(Math.max(needed, 2 * memory.capacity()));
      larger.buffer().put(buffer.flip());
      memory = larger;
      buffer = larger.buffer();
    }
    return buffer;
  }
}
