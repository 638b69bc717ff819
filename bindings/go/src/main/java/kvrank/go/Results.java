package kvrank.go;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.binding.NativeMemory;
import kvrank.binding.PropertyException;

/** Memory for what the library gives back, enlarged where it is too small. */
final class Results {

  /** Enough for the reason of a failure. */
  static final int LEAST = 4096;

  private NativeMemory memory = NativeMemory.allocate(LEAST);

  /** A call that writes its results to memory, and returns their length in bytes. */
  interface Call {
    int with(long out, int capacity);
  }

  /**
   * Returns the results of {@code call}, which is made again with more memory if they need it. They
   * are valid until the next call.
   */
  ByteBuffer of(Call call) throws GoException {
    int length = call.with(memory.address(), memory.capacity());
    while (length > memory.capacity()) {
      memory = NativeMemory.allocate(length);
      length = call.with(memory.address(), memory.capacity());
    }
    check(length, memory);
    return memory.buffer().clear().limit(length);
  }

  /** Returns the results of {@code call}, which are names and values. */
  SortedMap<String, String> texts(Call call) throws GoException {
    SortedMap<String, String> texts = new TreeMap<>();
    for (ByteBuffer results = of(call); results.hasRemaining(); ) {
      texts.put(text(results), text(results));
    }
    return texts;
  }

  /**
   * Returns the handle that a call of {@link GoLibrary#open} returned.
   *
   * @param out where it put the reason if it failed
   */
  static int opened(int result, NativeMemory out) throws GoException, PropertyException {
    if (result == GoLibrary.REFUSED) {
      throw new PropertyException(text(out.buffer().clear()));
    }
    check(result, out);
    return result;
  }

  /**
   * Looks at what a call returned.
   *
   * @param out where it put the reason if it failed
   */
  static void check(int result, NativeMemory out) throws GoException {
    if (result == GoLibrary.FAILED) {
      throw new GoException(text(out.buffer().clear()));
    }
    if (result == GoLibrary.UNSUPPORTED) {
      throw new UnsupportedOperationException("this engine does not have it");
    }
  }

  private static String text(ByteBuffer results) {
    byte[] bytes = new byte[results.getInt()];
    results.get(bytes);
    return new String(bytes, UTF_8);
  }
}
