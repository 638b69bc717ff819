package kvrank.run.durability;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.machine.BlockDevice;
import kvrank.machine.SyncProbe;

/** The device's behaviour without an engine: before the first run, and around the judged one. */
public record DeviceProbes(List<SyncProbe> probes) {

  /** Half the 95 % point of the normal distribution, one-sided. */
  private static final double HALF_Z = 1.645 / 2;

  Optional<BlockDevice> device() {
    return probes.get(0).device();
  }

  /** Returns the lowest median latency of an {@code fdatasync}, in nanoseconds. */
  public long syncP50Nanos() {
    return probes.stream().mapToLong(probe -> probe.latencyNanos().p50()).min().orElseThrow();
  }

  /** Returns the lowest 10th percentile of that latency, in nanoseconds. */
  public long syncP10Nanos() {
    return probes.stream().mapToLong(probe -> probe.latencyNanos().p10()).min().orElseThrow();
  }

  /** Returns the lowest latency of all. */
  long syncMinNanos() {
    return probes.stream().mapToLong(probe -> probe.latencyNanos().min()).min().orElseThrow();
  }

  /** Returns whether all probes were disturbed, so that the device's own speed is not known. */
  public boolean disturbed() {
    return probes.stream().allMatch(SyncProbe::disturbed);
  }

  /**
   * Returns the flushes per {@code fdatasync} without those of others, in the probe with the
   * fewest: others may sync during any. If there are enough, at least 1, as a probe slows others
   * down.
   */
  double flushesPerSync() {
    return probes.stream().mapToDouble(this::flushesPerSync).min().orElseThrow();
  }

  private double flushesPerSync(SyncProbe probe) {
    double flushes = probe.syncFlushes().orElse(0);
    double ownFlushes = flushes - idlePerSecond() * probe.syncSeconds();
    return Math.max(ownFlushes / probe.syncs(), Math.min(1, flushes / probe.syncs()));
  }

  /** Returns the flushes of others per second without an engine. */
  double idlePerSecond() {
    return idleFlushes() / idleSeconds();
  }

  /**
   * Returns the maximum of others' flushes per second: the upper 95 % confidence limit, or the
   * highest observed rate.
   *
   * <p>n flushes of a Poisson process in T seconds limit its rate to ((√(n+1) + 1.645/2)²)/T: the
   * square root of such a count has a standard deviation of about 1/2 (Anscombe, Biometrika 35,
   * 1948), and n+1 makes the limit slightly conservative (3.3 for n = 0; exact: 3.0).
   */
  double mostPerSecond() {
    double root = Math.sqrt(idleFlushes() + 1.0) + HALF_Z;
    double seen =
        probes.stream()
            .map(SyncProbe::idleFlushesPerSecond)
            .flatMapToDouble(OptionalDouble::stream)
            .max()
            .orElse(0);
    return Math.max(root * root / idleSeconds(), seen);
  }

  private long idleFlushes() {
    return probes.stream().mapToLong(probe -> probe.idleFlushes().orElse(0)).sum();
  }

  private double idleSeconds() {
    return probes.stream().mapToDouble(SyncProbe::idleSeconds).sum();
  }
}
