package kvrank.run.durability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import kvrank.machine.BlockDevice;
import kvrank.machine.Storage;
import kvrank.machine.SyncProbe;
import kvrank.metric.Usage;
import kvrank.provision.server.Server;
import kvrank.results.OperationRecord;
import kvrank.results.Resources;
import kvrank.run.durability.WrittenStretch.WriteLatency;
import kvrank.workload.request.Operation;
import org.HdrHistogram.Histogram;

/** Counts the flushes of the device under a server's data, one measured stretch after the other. */
public final class FlushMeter {

  /** The fewest writes with meaningful percentiles. */
  private static final long FEWEST_WRITES = 10;

  /** Beyond this share of requests without a record, the 10th percentile is not a write. */
  private static final double MOST_NOT_FOUND = 0.05;

  private final Optional<SyncProbe> probe;
  private final String hindrance;
  private OptionalLong first = OptionalLong.empty();
  private OptionalLong flushes = OptionalLong.empty();
  private long startNanos;
  private long lateNanos;
  private double seconds;

  public FlushMeter(Optional<SyncProbe> probe, Server server) throws IOException {
    this.probe = probe;
    this.hindrance = hindrance(probe, server);
  }

  /** Returns the reason why flushes do not show this server's writes; empty if they do. */
  private static String hindrance(Optional<SyncProbe> probe, Server server) throws IOException {
    if (server.data().isEmpty()) {
      return "the server was running already, and its storage cannot be seen from here";
    }
    Path data = server.data().get();
    Storage storage = Storage.of(data);
    if (storage.inMemory()) {
      return "its files are in memory (" + storage.fileSystem() + ")";
    }
    Optional<BlockDevice> device = probe.flatMap(SyncProbe::device);
    if (device.isEmpty()) {
      return "no disk is known under its files (%s)".formatted(storage.fileSystem());
    }
    if (!storage.device().equals(device.map(BlockDevice::name))) {
      return "its files are on %s, and %s was probed"
          .formatted(storage.device().orElse(storage.fileSystem()), device.get().name());
    }
    return probe.get().syncFlushes().isEmpty()
        ? "this kernel does not count the flushes of %s".formatted(device.get().name())
        : "";
  }

  /** Starts a stretch, and again at the end of its warm-up. */
  public void begin() {
    lateNanos = 0;
    startNanos = System.nanoTime();
    first = count();
    flushes = OptionalLong.empty();
  }

  /** Records how long ago the stretch started: on a busy machine, not all flushes are counted. */
  public void late(long nanos) {
    lateNanos = Math.max(0, nanos);
  }

  public void end() {
    OptionalLong last = count();
    seconds = (System.nanoTime() - startNanos) / 1e9;
    flushes = BlockDevice.between(first, last);
  }

  private OptionalLong count() {
    return hindrance.isEmpty()
        ? probe.flatMap(SyncProbe::device).map(BlockDevice::flushes).orElse(OptionalLong.empty())
        : OptionalLong.empty();
  }

  /** Returns whether flushes show this server's writes. */
  public boolean counts() {
    return hindrance.isEmpty();
  }

  /**
   * Returns the finished stretch; latencies are from sending, by the operation's label.
   *
   * @param othersWaited the share of the time in which others waited for a disk; NaN if unknown
   */
  public WrittenStretch stretch(
      long inFlight,
      SortedMap<String, OperationRecord> operations,
      SortedMap<String, Histogram> histograms,
      Resources resources,
      double othersWaited) {
    long writes = 0;
    List<WriteLatency> latencies = new ArrayList<>();
    for (Map.Entry<String, OperationRecord> entry : operations.entrySet()) {
      Operation operation = Operation.ofResult(entry.getKey()).orElseThrow();
      OperationRecord record = entry.getValue();
      if (operation.storesValue() || operation == Operation.DELETE) {
        writes += requests(record);
        latency(record, histograms.get(entry.getKey())).ifPresent(latencies::add);
      }
    }
    long written =
        resources
            .server()
            .or(resources::client)
            .map(Usage::writtenBytes)
            .orElse(OptionalLong.empty())
            .orElse(0);
    Optional<WriteLatency> fastest =
        latencies.stream()
            .reduce(
                (a, b) -> new WriteLatency(Math.min(a.p10(), b.p10()), Math.min(a.p50(), b.p50())));
    double missed = lateNanos / (lateNanos + seconds * 1e9);
    return new WrittenStretch(
        seconds, missed, flushes, hindrance, writes, inFlight, fastest, written, othersWaited);
  }

  /** Returns the requests that wrote; a batch counts once. */
  private static long requests(OperationRecord record) {
    return record.latencyNanos().map(latency -> Math.min(latency.count(), record.ok())).orElse(0L);
  }

  /** Returns the latency; empty if many requests found nothing, and so did not wait. */
  private static Optional<WriteLatency> latency(OperationRecord record, Histogram histogram) {
    return histogram == null
            || histogram.getTotalCount() < FEWEST_WRITES
            || record.notFound() > MOST_NOT_FOUND * record.ok()
        ? Optional.empty()
        : Optional.of(
            new WriteLatency(
                histogram.getValueAtPercentile(10), histogram.getValueAtPercentile(50)));
  }
}
