package kvrank.worker.check;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * The number of acknowledged writes of each thread, in a memory-mapped file that survives a kill.
 * {@link kvrank.workload.CrashWrites} derives the writes from the seed.
 *
 * <p>Each number has 8 bytes, little endian, {@value #STRIDE} bytes apart, so that no two share a
 * cache line or a prefetched pair of lines.
 */
public final class AckCounters {

  static final int STRIDE = 128;

  private static final VarHandle NUMBERS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final MappedByteBuffer numbers;

  private AckCounters(MappedByteBuffer numbers) {
    this.numbers = numbers;
  }

  static Path file(Path output) {
    return output.resolve("ledger");
  }

  /**
   * Returns the number of acknowledged writes of all threads.
   *
   * @param output the worker's output folder
   */
  public static long acknowledged(Path output, int threads) throws IOException {
    return Arrays.stream(read(file(output), threads)).sum();
  }

  static AckCounters create(Path file, int threads) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return new AckCounters(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) threads * STRIDE));
    }
  }

  /** Sets the number of acknowledged writes of {@code thread}; called only by that thread. */
  void acknowledged(int thread, long count) {
    NUMBERS.setRelease(numbers, thread * STRIDE, count);
  }

  static long[] read(Path file, int threads) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    if (bytes.capacity() != threads * STRIDE) {
      throw new IOException(
          "%s: does not hold the ack counters of %d threads, it has %d bytes"
              .formatted(file, threads, bytes.capacity()));
    }
    long[] counts = new long[threads];
    for (int thread = 0; thread < threads; thread++) {
      counts[thread] = bytes.getLong(thread * STRIDE);
    }
    return counts;
  }
}
