package kvrank.machine;

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
 * What an {@code fdatasync} costs in a folder while no engine runs, and what the device counts of
 * it: 4 KiB are appended to a file and synced, again and again, as an engine does with its log.
 *
 * @param device the disk under the folder; empty if there is none, or none that is known
 * @param idleSeconds how long the device was watched before that
 * @param idleFlushes the flushes of others that it completed meanwhile; empty if they cannot be
 *     counted
 * @param syncFlushes the flushes that the device completed meanwhile; empty if they cannot be
 *     counted
 * @param latencyNanos of one write with its sync
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

  // Anything slower is as slow for every purpose here.
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
   * @param storage what {@code folder} is on
   * @param folder where the engines will keep their data; it exists
   * @param idle how long to watch
   * @param limit how long to write and sync at most; one sync is always done
   * @throws IOException if nothing can be written there
   */
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
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
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
    } finally {
      Files.deleteIfExists(file);
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

  /** Flushes per second of others; empty if they cannot be counted. */
  public OptionalDouble idleFlushesPerSecond() {
    return idleFlushes.stream().mapToDouble(flushes -> flushes / idleSeconds).findFirst();
  }

  /**
   * Returns how many flushes the device counts for one {@code fdatasync}: about 1 on most disks; 0
   * where none reaches it, and then flushes prove nothing. Empty if they cannot be counted.
   */
  public OptionalDouble flushesPerSync() {
    return syncFlushes.stream().mapToDouble(flushes -> (double) flushes / syncs).findFirst();
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
    device
        .flatMap(BlockDevice::writeCache)
        .ifPresent(it -> facts.put(Fact.STORAGE_WRITE_CACHE, it));
    device.flatMap(BlockDevice::scheduler).ifPresent(it -> facts.put(Fact.STORAGE_SCHEDULER, it));
    return facts;
  }

  /** Returns what was found, in one line for a terminal. */
  public String summary() {
    return "fdatasync takes %s (p50 of %d; min %s, p99 %s); %s"
        .formatted(
            millis(latencyNanos.p50()),
            syncs,
            millis(latencyNanos.min()),
            millis(latencyNanos.p99()),
            flushesPerSync().isPresent() && idleFlushesPerSecond().isPresent()
                ? "the device counts %s flushes for each, and %s a second for others"
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
