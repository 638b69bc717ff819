package kvrank.run.durability;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import kvrank.machine.BlockDevice;
import kvrank.machine.SyncProbe;

/** What one device does by itself: before the first run, and around the one that is judged. */
public record DeviceProbes(List<SyncProbe> probes) {

  /** Half the 95 % point of the normal distribution, one-sided. */
  private static final double HALF_Z = 1.645 / 2;

  Optional<BlockDevice> device() {
    return probes.get(0).device();
  }

  /** The median latency of an {@code fdatasync} when it was fastest, in nanoseconds. */
  public long syncP50Nanos() {
    return probes.stream().mapToLong(probe -> probe.latencyNanos().p50()).min().orElseThrow();
  }

  /** What nine of ten took at least when it was fastest, in nanoseconds. */
  public long syncP10Nanos() {
    return probes.stream().mapToLong(probe -> probe.latencyNanos().p10()).min().orElseThrow();
  }

  /**
   * The flushes that the device counts for an {@code fdatasync}, those of others left out; but one
   * if it counts as many as that, since others are slower while it is asked for more.
   */
  double flushesPerSync() {
    return flushesPerSync(idlePerSecond());
  }

  /** The fewest of these: others may have made as many as they ever do. */
  double leastPerSync() {
    return flushesPerSync(mostPerSecond());
  }

  private double flushesPerSync(double othersPerSecond) {
    double flushes = probes.stream().mapToLong(probe -> probe.syncFlushes().orElse(0)).sum();
    double seconds = probes.stream().mapToDouble(SyncProbe::syncSeconds).sum();
    long syncs = probes.stream().mapToLong(SyncProbe::syncs).sum();
    double ownFlushes = flushes - othersPerSecond * seconds;
    return Math.max(ownFlushes / syncs, Math.min(1, flushes / syncs));
  }

  /** The flushes of others per second while no engine ran. */
  double idlePerSecond() {
    return idleFlushes() / idleSeconds();
  }

  /**
   * The most flushes per second that others may make: the upper limit of the rate with 95 %
   * confidence, or the highest that was seen, as the rate may have changed meanwhile.
   *
   * <p>n flushes in T seconds, if they come as a Poisson process, limit their rate to ((√(n+1) +
   * 1.645/2)²)/T: the square root of such a count has a standard deviation of about 1/2 (Anscombe,
   * Biometrika 35, 1948), and n+1 makes the limit that of an interval or a little more (3.3 for n =
   * 0, where the exact one is 3.0).
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
