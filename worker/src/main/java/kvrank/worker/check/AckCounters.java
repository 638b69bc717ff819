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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The number of acknowledged writes of each thread, in a memory-mapped file that survives a kill.
 * {@link kvrank.workload.CrashWrites} derives the writes from the seed.
 *
 * <p>Each number has 8 bytes, little endian, {@value #STRIDE} bytes apart, so that no two share a
 * cache line or a prefetched pair of lines. A second file has their times: for each thread {@value
 * #TIMES} entries of {@link System#nanoTime} and the number at that time, one per millisecond at
 * most.
 */
public final class AckCounters {

  static final int STRIDE = 128;

  /** Enough for two minutes. */
  private static final int TIMES = 1 << 17;

  private static final int ENTRY = 2 * Long.BYTES;
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  private static final VarHandle NUMBERS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final List<Counter> counters;

  private AckCounters(List<Counter> counters) {
    this.counters = counters;
  }

  static Path file(Path output) {
    return output.resolve("ledger");
  }

  private static Path times(Path file) {
    return file.resolveSibling(file.getFileName() + ".times");
  }

  /**
   * Returns the number of acknowledged writes of each thread.
   *
   * @param output the worker's output folder
   */
  public static List<Long> of(Path output, int threads) throws IOException {
    return Arrays.stream(read(file(output), threads)).boxed().toList();
  }

  /** Returns about when the last write was acknowledged, by {@link System#nanoTime}. */
  public static long last(Path output, int threads) throws IOException {
    Path file = file(output);
    long[] counts = read(file, threads);
    long last = Long.MIN_VALUE;
    for (int thread = 0; thread < threads; thread++) {
      if (counts[thread] > 0) {
        last = Math.max(last, times(file, thread, counts[thread])[0]);
      }
    }
    return last;
  }

  static AckCounters create(Path file, int threads) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (FileChannel numbers = open(file);
        FileChannel times = open(times(file))) {
      MappedByteBuffer all =
          numbers.map(FileChannel.MapMode.READ_WRITE, 0, (long) threads * STRIDE);
      List<Counter> counters = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        counters.add(new Counter(all, thread * STRIDE, map(times, thread)));
      }
      return new AckCounters(counters);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static MappedByteBuffer map(FileChannel times, int thread) throws IOException {
    long size = (long) TIMES * ENTRY;
    return times.map(FileChannel.MapMode.READ_WRITE, thread * size, size);
  }

  Counter of(int thread) {
    return counters.get(thread);
  }

  /** The counter of one thread, used only by that thread. */
  static final class Counter {

    private final MappedByteBuffer numbers;
    private final int place;
    private final MappedByteBuffer times;
    private int entries;
    private long next = Long.MIN_VALUE;

    private Counter(MappedByteBuffer numbers, int place, MappedByteBuffer times) {
      this.numbers = numbers;
      this.place = place;
      this.times = times;
    }

    /** Sets the number of acknowledged writes. */
    void acknowledged(long count) {
      NUMBERS.setRelease(numbers, place, count);
      long now = System.nanoTime();
      if (now >= next && entries < TIMES) {
        NUMBERS.set(times, entries * ENTRY + Long.BYTES, count);
        NUMBERS.setRelease(times, entries * ENTRY, now);
        entries++;
        next = now + MILLISECOND;
      }
    }
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

  /**
   * Returns the times, by {@link System#nanoTime} and to about a millisecond, at which {@code
   * thread} was acknowledged its {@code numbers}-th writes, counted from 1.
   */
  static long[] times(Path file, int thread, long... numbers) throws IOException {
    try (FileChannel channel =
        FileChannel.open(times(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer times = map(channel, thread);
      return Arrays.stream(numbers).map(number -> time(times, number)).toArray();
    }
  }

  /** Returns the time of the last entry that does not exceed {@code number}. */
  private static long time(MappedByteBuffer times, long number) {
    int least = 0;
    int beyond = TIMES;
    while (beyond - least > 1) {
      int middle = (least + beyond) >>> 1;
      boolean used = (long) NUMBERS.getAcquire(times, middle * ENTRY) != 0;
      if (used && (long) NUMBERS.get(times, middle * ENTRY + Long.BYTES) <= number) {
        least = middle;
      } else {
        beyond = middle;
      }
    }
    return (long) NUMBERS.get(times, least * ENTRY);
  }
}
