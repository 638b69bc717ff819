package kvrank.binding;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside the heap, for engines in other languages: native code reads and writes it at its
 * address, without a copy and without looking at a Java object. It is given back when this is no
 * longer reachable, so whoever hands out the address has to keep this.
 *
 * @param buffer the whole of it, in the order of this machine's bytes
 * @param address where it begins
 */
public record NativeMemory(ByteBuffer buffer, long address) {

  /** Returns new memory of {@code capacity} bytes. */
  public static NativeMemory allocate(int capacity) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    return new NativeMemory(buffer, address(buffer));
  }

  /** Returns the number of bytes. */
  public int capacity() {
    return buffer.capacity();
  }

  /**
   * Reads the field in which a direct buffer keeps its address. Java 17 has no public method for
   * it, and {@code sun.misc.Unsafe}, which cannot be named without a warning, needs no flag.
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
      throw new LinkageError("this JVM does not tell the address of a direct buffer", e);
    }
  }
}
