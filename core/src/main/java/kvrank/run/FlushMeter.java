package kvrank.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import kvrank.machine.BlockDevice;
import kvrank.machine.Storage;
import kvrank.machine.SyncProbe;
import kvrank.provision.Server;
import kvrank.results.Durability;
import kvrank.results.Latency;
import kvrank.results.OperationRecord;
import kvrank.results.Resources;
import kvrank.results.Usage;
import kvrank.scenario.Fsync;
import kvrank.workload.Operation;

/** Counts the flushes of the device under a server's data, one measured stretch after the other. */
final class FlushMeter {

  private final Optional<SyncProbe> probe;
  private final String hindrance;
  private OptionalLong first = OptionalLong.empty();
  private OptionalLong flushes = OptionalLong.empty();
  private long startNanos;
  private double seconds;

  private FlushMeter(Optional<SyncProbe> probe, String hindrance) {
    this.probe = probe;
    this.hindrance = hindrance;
  }

  /**
   * Returns a meter for {@code server}.
   *
   * @param probe what was found of the device under the data directories
   */
  static FlushMeter of(Optional<SyncProbe> probe, Server server) throws IOException {
    return new FlushMeter(probe, hindrance(probe, server));
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
  void begin() {
    startNanos = System.nanoTime();
    first = count();
    flushes = OptionalLong.empty();
  }

  /** The stretch is over. */
  void end() {
    OptionalLong last = count();
    seconds = (System.nanoTime() - startNanos) / 1e9;
    flushes =
        first.isPresent() && last.isPresent()
            ? OptionalLong.of(last.getAsLong() - first.getAsLong())
            : OptionalLong.empty();
  }

  private OptionalLong count() {
    return hindrance.isEmpty()
        ? probe.flatMap(SyncProbe::device).map(BlockDevice::flushes).orElse(OptionalLong.empty())
        : OptionalLong.empty();
  }

  /**
   * Returns what the flushes of the stretch that is over say of its durability.
   *
   * @param inFlight the number of requests that could be in flight at one time
   * @param operations what was done in it, by the operation's label
   */
  Durability judge(
      Fsync fsync,
      long inFlight,
      SortedMap<String, OperationRecord> operations,
      Resources resources) {
    long writes = 0;
    OptionalLong median = OptionalLong.empty();
    for (Operation operation : Operation.values()) {
      OperationRecord record = operations.get(operation.label());
      boolean write = operation.storesValue() || operation == Operation.DELETE;
      if (write && record != null) {
        writes += requests(record);
        median =
            larger(median, record.latencyNanos().map(Latency::p50).orElse(OptionalLong.empty()));
      }
    }
    if (flushes.isEmpty()) {
      return unmeasured(writes);
    }
    long written =
        resources
            .server()
            .or(resources::client)
            .map(Usage::writtenBytes)
            .orElse(OptionalLong.empty())
            .orElse(0);
    return new DurabilityCheck(
            fsync, flushes.getAsLong(), seconds, probe.get(), writes, inFlight, median, written)
        .durability();
  }

  /** A batch counts once, and a request that found nothing to write does not count. */
  private static long requests(OperationRecord record) {
    return record.latencyNanos().map(latency -> Math.min(latency.count(), record.ok())).orElse(0L);
  }

  private static OptionalLong larger(OptionalLong one, OptionalLong other) {
    return one.isEmpty() || (other.isPresent() && other.getAsLong() > one.getAsLong())
        ? other
        : one;
  }

  private Durability unmeasured(long writes) {
    return new Durability(
        probe.flatMap(SyncProbe::device).map(BlockDevice::name),
        OptionalLong.empty(),
        OptionalDouble.empty(),
        writes,
        OptionalDouble.empty(),
        writes == 0 ? Durability.Verdict.NO_WRITES : Durability.Verdict.NOT_MEASURABLE,
        writes == 0 ? "the phase wrote nothing" : hindrance);
  }
}
