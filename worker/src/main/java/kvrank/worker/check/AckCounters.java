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
 * How many of its writes each thread was told are done: one number per thread, in a file that is
 * mapped into memory, so that it holds whatever ends this process. What the number counts follows
 * from the seed, see {@link kvrank.workload.CrashWrites}.
 *
 * <p>The numbers are 8 bytes each, the least significant first, {@value #STRIDE} bytes apart: no
 * two of them share a cache line, nor a pair of lines that a processor fetches together.
 */
public final class AckCounters {

  static final int STRIDE = 128;

  private static final VarHandle NUMBERS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final MappedByteBuffer numbers;

  private AckCounters(MappedByteBuffer numbers) {
    this.numbers = numbers;
  }

  /** The ledger of a spec, by the folder of its output. */
  static Path file(Path output) {
    return output.resolve("ledger");
  }

  /**
   * How many writes all threads together were told are done.
   *
   * @param output the folder of the worker's output
   */
  public static long acknowledged(Path output, int threads) throws IOException {
    return Arrays.stream(read(file(output), threads)).sum();
  }

  /** A new ledger, with 0 for every thread. */
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

  /** Notes that {@code count} writes of {@code thread} are acknowledged; only that thread may. */
  void acknowledged(int thread, long count) {
    NUMBERS.setRelease(numbers, thread * STRIDE, count);
  }

  /** The numbers of a ledger, by thread. */
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
