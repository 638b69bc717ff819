package kvrank.run.durability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** The fewest writes whose percentiles say something. */
  private static final long FEWEST_WRITES = 10;

  /** The share of requests without a record that leaves the 10th percentile to the others. */
  private static final double MOST_NOT_FOUND = 0.05;

  private final Optional<SyncProbe> probe;
  private final String hindrance;
  private OptionalLong first = OptionalLong.empty();
  private OptionalLong flushes = OptionalLong.empty();
  private long startNanos;
  private long lateNanos;
  private double seconds;

  /** A meter for a server, by what was found of the device under the data directories. */
  public FlushMeter(Optional<SyncProbe> probe, Server server) throws IOException {
    this.probe = probe;
    this.hindrance = hindrance(probe, server);
  }

  /** Returns why flushes say nothing of this server; empty if they do. */
  private static String hindrance(Optional<SyncProbe> probe, Server server) throws IOException {
    if (server.data().isEmpty()) {
      return "the server was running already, and what its files are on cannot be seen from here";
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

  /** A stretch begins; called again where its warm-up ends. */
  public void begin() {
    lateNanos = 0;
    startNanos = System.nanoTime();
    first = count();
    flushes = OptionalLong.empty();
  }

  /** The stretch had begun so long ago: the machine is busy, and not all flushes are counted. */
  public void late(long nanos) {
    lateNanos = Math.max(0, nanos);
  }

  /** The stretch is over. */
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

  /** Returns whether flushes say something of this server. */
  public boolean counts() {
    return hindrance.isEmpty();
  }

  /**
   * Returns the stretch that is over, as durability is judged by it.
   *
   * @param inFlight the number of requests that could be in flight at one time
   * @param operations what was done in it, by the operation's label
   * @param histograms how long it took from when it was sent, by the operation's label
   */
  public WrittenStretch stretch(
      long inFlight,
      SortedMap<String, OperationRecord> operations,
      SortedMap<String, Histogram> histograms,
      Resources resources) {
    long writes = 0;
    List<WriteLatency> latencies = new ArrayList<>();
    for (Operation operation : Operation.values()) {
      OperationRecord record = operations.get(operation.label());
      boolean write = operation.storesValue() || operation == Operation.DELETE;
      if (write && record != null) {
        writes += requests(record);
        latency(record, histograms.get(operation.label())).ifPresent(latencies::add);
      }
    }
    long written =
        resources
            .server()
            .or(resources::client)
            .map(Usage::writtenBytes)
            .orElse(OptionalLong.empty())
            .orElse(0);
    Optional<WriteLatency> fastest = latencies.stream().reduce(FlushMeter::faster);
    double missed = lateNanos / (lateNanos + seconds * 1e9);
    return new WrittenStretch(
        seconds, missed, flushes, hindrance, writes, inFlight, fastest, written);
  }

  /** A batch counts once, and a request that found nothing to write does not count. */
  private static long requests(OperationRecord record) {
    return record.latencyNanos().map(latency -> Math.min(latency.count(), record.ok())).orElse(0L);
  }

  /** Requests that found nothing have nothing to wait for: where these are many, empty. */
  private static Optional<WriteLatency> latency(OperationRecord record, Histogram histogram) {
    return histogram == null
            || histogram.getTotalCount() < FEWEST_WRITES
            || record.notFound() > MOST_NOT_FOUND * record.ok()
        ? Optional.empty()
        : Optional.of(
            new WriteLatency(
                histogram.getValueAtPercentile(10), histogram.getValueAtPercentile(50)));
  }

  private static WriteLatency faster(WriteLatency one, WriteLatency other) {
    return new WriteLatency(Math.min(one.p10(), other.p10()), Math.min(one.p50(), other.p50()));
  }
}
