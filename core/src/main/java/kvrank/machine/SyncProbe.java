package kvrank.machine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import org.HdrHistogram.Histogram;

/**
 * The cost of an {@code fdatasync} in a folder while no engine runs, and the flushes that the
 * device counts: 4 KiB are repeatedly appended to a file and synced, as an engine does with its
 * log.
 *
 * @param device the folder's disk; empty if there is none, or it is unknown
 * @param idleSeconds how long the device was watched before
 * @param idleFlushes the flushes of others in that time; empty if they cannot be counted
 * @param syncFlushes the flushes during the syncs; empty if they cannot be counted
 * @param latencyNanos latencies of a write with its sync
 */
public record SyncProbe(
    Optional<BlockDevice> device,
    double idleSeconds,
    OptionalLong idleFlushes,
    long syncs,
    double syncSeconds,
    OptionalLong syncFlushes,
    Latency latencyNanos) {

  private static final int MOST_SYNCS = 200;
  private static final int BLOCK_BYTES = 4096;

  /** Others flush on most machines: up to once in ten syncs disturbs none. */
  private static final double MOST_OF_OTHERS = 0.1;

  // Slower syncs count as this slow.
  private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();

  /** A distribution in nanoseconds. */
  public record Latency(long min, long p10, long p50, long p90, long p99, long max) {

    private static Latency of(Histogram histogram) {
      return new Latency(
          histogram.getMinValue(),
          histogram.getValueAtPercentile(10),
          histogram.getValueAtPercentile(50),
          histogram.getValueAtPercentile(90),
          histogram.getValueAtPercentile(99),
          histogram.getMaxValue());
    }
  }

  /**
   * Watches the device, then writes and syncs up to 200 times.
   *
   * @param storage the storage of {@code folder}
   * @param folder the existing folder for the engines' data
   * @param idle how long to watch
   * @param limit the longest time to write and sync; there is at least one sync
   * @throws IOException if nothing can be written there
   */
  @SuppressWarnings("try") // a failure of the removal does not hide one of the disk
  public static SyncProbe of(Storage storage, Path folder, Duration idle, Duration limit)
      throws IOException, InterruptedException {
    Optional<BlockDevice> device = storage.device().map(BlockDevice::named);
    OptionalLong before = flushes(device);
    long start = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(idle.toNanos());
    OptionalLong between = flushes(device);
    double idleSeconds = (System.nanoTime() - start) / 1e9;
    Histogram nanos = new Histogram(LONGEST_NANOS, 3);
    Path file = Files.createTempFile(folder, "fdatasync-", ".probe");
    double syncSeconds;
    OptionalLong after;
    try (Closeable removal = () -> Files.deleteIfExists(file);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
      long begin = System.nanoTime();
      long deadline = begin + limit.toNanos();
      do {
        block.rewind();
        long from = System.nanoTime();
        while (block.hasRemaining()) {
          channel.write(block);
        }
        channel.force(false);
        nanos.recordValue(Math.min(System.nanoTime() - from, LONGEST_NANOS));
      } while (nanos.getTotalCount() < MOST_SYNCS && System.nanoTime() < deadline);
      after = flushes(device);
      syncSeconds = (System.nanoTime() - begin) / 1e9;
    }
    return new SyncProbe(
        device,
        idleSeconds,
        BlockDevice.between(before, between),
        nanos.getTotalCount(),
        syncSeconds,
        BlockDevice.between(between, after),
        Latency.of(nanos));
  }

  private static OptionalLong flushes(Optional<BlockDevice> device) {
    return device.map(BlockDevice::flushes).orElse(OptionalLong.empty());
  }

  /** Returns the flushes per second of others; empty if they cannot be counted. */
  public OptionalDouble idleFlushesPerSecond() {
    return idleFlushes.stream().mapToDouble(flushes -> flushes / idleSeconds).findFirst();
  }

  /**
   * Returns the number of flushes that the device counts per {@code fdatasync}: about 1 on most
   * disks; 0 if none reaches it, so that flushes prove nothing. Empty if they cannot be counted.
   */
  public OptionalDouble flushesPerSync() {
    return syncFlushes.stream().mapToDouble(flushes -> (double) flushes / syncs).findFirst();
  }

  /**
   * Returns whether others used the disk: the fastest sync was much faster than most, or the
   * flushes for each are not a whole number, as a device counts them.
   */
  public boolean disturbed() {
    double flushes = flushesPerSync().orElse(0);
    return latencyNanos.min() < latencyNanos.p50() / 4
        || Math.abs(flushes - Math.rint(flushes)) > MOST_OF_OTHERS;
  }

  /** Returns the facts of the device that the probe found. */
  public Facts facts() {
    Facts facts =
        new Facts()
            .put(Fact.STORAGE_FDATASYNC_COUNT, syncs)
            .put(Fact.STORAGE_FDATASYNC_MIN_NANOS, latencyNanos.min())
            .put(Fact.STORAGE_FDATASYNC_P50_NANOS, latencyNanos.p50())
            .put(Fact.STORAGE_FDATASYNC_P90_NANOS, latencyNanos.p90())
            .put(Fact.STORAGE_FDATASYNC_P99_NANOS, latencyNanos.p99())
            .put(Fact.STORAGE_FDATASYNC_MAX_NANOS, latencyNanos.max());
    flushesPerSync()
        .ifPresent(flushes -> facts.put(Fact.STORAGE_FDATASYNC_FLUSHES, decimal(flushes)));
    idleFlushesPerSecond()
        .ifPresent(flushes -> facts.put(Fact.STORAGE_IDLE_FLUSHES_PER_SECOND, decimal(flushes)));
    return facts;
  }

  /** Returns the results, in one line for a terminal. */
  public String summary() {
    return "fdatasync takes %s (p50 of %d; min %s, p99 %s); %s"
        .formatted(
            millis(latencyNanos.p50()),
            syncs,
            millis(latencyNanos.min()),
            millis(latencyNanos.p99()),
            flushesPerSync().isPresent() && idleFlushesPerSecond().isPresent()
                ? "the device counts %s flushes for each, and %s per second from others"
                    .formatted(
                        decimal(flushesPerSync().getAsDouble()),
                        decimal(idleFlushesPerSecond().getAsDouble()))
                : "flushes cannot be counted here");
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
