package kvrank.run;

import static java.util.Objects.requireNonNull;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import kvrank.machine.BlockDevice;
import kvrank.machine.SyncProbe;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.scenario.Fsync;

/**
 * Judges durability by the flushes that a device completed.
 *
 * <p><b>How many flushes are needed.</b> A write that is durable when it is acknowledged waits for
 * a flush that begins after it. A flush can serve all writes that wait for it (group commit), and
 * no more than C requests can wait: threads times connections times pipeline. So W durable writes
 * need W/C flushes or more, whatever the engine does; one thread without a pipeline needs W. Where
 * the kernel counts less than one flush for an {@code fdatasync}, as the probe found, that much
 * less is asked.
 *
 * <p><b>How many were the engine's.</b> Others flush the same device. The probe saw n flushes of
 * others in T seconds, which limits their rate to ((√(n+1) + 1.645/2)²)/T with 95 % confidence, if
 * they come as a Poisson process: the square root of such a count has a standard deviation of about
 * 1/2 (Anscombe, Biometrika 35, 1948), and n+1 makes the limit that of an interval or a little more
 * (3.3 for n = 0, where the exact one is 3.0). So of the flushes F in a stretch of S seconds the
 * engine's are between F minus that rate times S, and F.
 *
 * <p><b>The verdict.</b> With {@code fsync: on} durability is not proven if even F is less than 0.9
 * W/C. It is proven if F without the flushes of the idle rate reaches that, and even the lower
 * bound 0.5 W/C: others cannot have made most of it. With {@code off} it is proven that writes are
 * not flushed if F is less than 0.5 W/C, and not proven if even the lower bound is not. Between the
 * two, others may have made too many of the flushes for a verdict. An engine that need not flush
 * its log still syncs the files that it makes of it (tables of an LSM tree, with their directory
 * and manifest): up to 4 flushes for each MiB that its process wrote are not held against {@code
 * off}.
 *
 * @param flushes the flushes that the device completed in the stretch
 * @param seconds how long it was watched
 * @param probe what was found before the engine ran; its flushes were counted
 * @param writes acknowledged write requests
 * @param inFlight the most requests that can wait at a time
 * @param medianNanos the latency that half of the writes kept, of the slowest kind of write
 * @param writtenBytes what the engine's process wrote to the storage layer
 */
record DurabilityCheck(
    Fsync fsync,
    long flushes,
    double seconds,
    SyncProbe probe,
    long writes,
    long inFlight,
    OptionalLong medianNanos,
    long writtenBytes) {

  /** The share of the needed flushes that proves them: stretch and count begin and end apart. */
  private static final double ENOUGH = 0.9;

  /** Less than this share of the needed flushes is not one for each group of writes. */
  private static final double FEW = 0.5;

  /** A device that counts fewer flushes for an fdatasync does not show them. */
  private static final double FEWEST_PER_SYNC = 0.5;

  /** The fewest groups of writes that tell always from now and then. */
  private static final double FEWEST_GROUPS = 10;

  private static final double FLUSHES_PER_MEBIBYTE = 4;

  /** Half the 95 % point of the normal distribution, one-sided. */
  private static final double HALF_Z = 1.645 / 2;

  DurabilityCheck {
    requireNonNull(fsync, "fsync is null");
    requireNonNull(probe, "probe is null");
    requireNonNull(medianNanos, "medianNanos is null");
  }

  private record Finding(Verdict verdict, String reason) {}

  Durability durability() {
    Finding finding = finding();
    return new Durability(
        probe.device().map(BlockDevice::name),
        OptionalLong.of(flushes),
        probe.idleFlushesPerSecond(),
        writes,
        writes == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(Math.max(0, flushes - likelyOfOthers()) / writes),
        finding.verdict(),
        finding.reason());
  }

  private Finding finding() {
    if (writes == 0) {
      return new Finding(Verdict.NO_WRITES, "the phase wrote nothing");
    }
    double perSync = probe.flushesPerSync().orElseThrow();
    if (perSync < FEWEST_PER_SYNC) {
      return unclear(
          "the device counts %.2f flushes for an fdatasync: flushes do not show there", perSync);
    }
    if (writes < FEWEST_GROUPS * inFlight) {
      return unclear("%,d writes with up to %,d at a time are too few to tell", writes, inFlight);
    }
    double needed = Math.min(1, perSync) * writes / inFlight;
    return fsync == Fsync.ON ? on(needed) : off(needed);
  }

  private Finding on(double needed) {
    double enough = ENOUGH * needed;
    String figures = text("%s, which need about %,.0f", counted(), Math.ceil(needed));
    if (flushes < enough) {
      return new Finding(Verdict.NOT_PROVEN, figures + fasterThanTheDevice());
    }
    return flushes - likelyOfOthers() >= enough && flushes - mostOfOthers() >= FEW * needed
        ? new Finding(Verdict.PROVEN, figures)
        : busy(figures);
  }

  private Finding off(double needed) {
    double few = FEW * needed;
    if (flushes < few) {
      return new Finding(
          Verdict.PROVEN, text("%s: fewer than the %,.0f of %s", counted(), needed, grouped()));
    }
    double least = flushes - mostOfOthers();
    if (least < few) {
      return busy(counted());
    }
    double ownFiles = FLUSHES_PER_MEBIBYTE * writtenBytes / (1 << 20);
    return least - ownFiles < few
        ? unclear(
            "%s may be those of the engine's own files, of which it wrote %,.0f MiB",
            counted(), (double) writtenBytes / (1 << 20))
        : new Finding(Verdict.NOT_PROVEN, "%s: as many as if fsync were on".formatted(counted()));
  }

  private String grouped() {
    return inFlight == 1 ? "one flush for each write" : "one flush for each group of writes";
  }

  /** For example {@code 12 flushes for 50,211 writes, up to 4 at a time}. */
  private String counted() {
    return text(
            flushes == 1 ? "%,d flush for %,d writes" : "%,d flushes for %,d writes",
            flushes,
            writes)
        + (inFlight == 1 ? ", one at a time" : text(", up to %,d at a time", inFlight));
  }

  private String fasterThanTheDevice() {
    long sync = probe.latencyNanos().p50();
    return medianNanos.isPresent() && medianNanos.getAsLong() < sync / 2
        ? text(
            "; the median write took %.3f ms, an fdatasync of this device %.3f ms",
            medianNanos.getAsLong() / 1e6, sync / 1e6)
        : "";
  }

  private Finding busy(String figures) {
    return unclear(
        "%s, of which others may have made %,.0f: too many to tell whose they are",
        figures, Math.min(mostOfOthers(), (double) flushes));
  }

  /** Returns the flushes of others in the stretch if they go on as before. */
  private double likelyOfOthers() {
    return probe.idleFlushesPerSecond().orElseThrow() * seconds;
  }

  /** Returns the most flushes of others in the stretch, with 95 % confidence. */
  private double mostOfOthers() {
    double root = Math.sqrt(probe.idleFlushes().orElseThrow() + 1.0) + HALF_Z;
    return root * root / probe.idleSeconds() * seconds;
  }

  private static Finding unclear(String format, Object... arguments) {
    return new Finding(Verdict.NOT_MEASURABLE, text(format, arguments));
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
