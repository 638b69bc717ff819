package kvrank.binding;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside of the heap with a known address, which native code reads and writes without a
 * copy. It is freed when this object is unreachable: keep a reference while native code has the
 * address.
 *
 * @param buffer the memory, in native byte order
 * @param address the address of its first byte
 */
public record NativeMemory(ByteBuffer buffer, long address) {

  /** Allocates {@code capacity} bytes. */
  public static NativeMemory allocate(int capacity) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    return new NativeMemory(buffer, address(buffer));
  }

  /** Returns the size in bytes. */
  public int capacity() {
    return buffer.capacity();
  }

  /**
   * Reads the address field of a direct buffer. Java 17 has no public method for it; {@code
   * sun.misc.Unsafe} works without a JVM flag, but only reflection avoids javac's warning.
   */
  private static long address(ByteBuffer buffer) {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Object unsafe = instance.get(null);
      Field field = Buffer.class.getDeclaredField("address");
      Object offset = type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, field);
      return (long)
          type.getMethod("getLong", Object.class, long.class).invoke(unsafe, buffer, offset);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this JVM does not give the address of a direct buffer", e);
    }
  }
}
