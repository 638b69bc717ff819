package kvrank.run.durability;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import kvrank.engine.Fsync;
import kvrank.machine.BlockDevice;
import kvrank.results.Durability;
import kvrank.results.Durability.Verdict;
import kvrank.workload.request.DurationFormat;

/**
 * Judges durability by the device's completed flushes and the latency of writes; see {@code
 * docs/explanation/durability.md}. W durable writes, of which C can wait together, need W/C flushes
 * (with one in flight, one each), and none is faster than the device.
 *
 * @param device its own behaviour; empty if it was not probed, so that flushes are not counted
 * @param single the result with one write in flight; empty for that stretch itself
 * @param answerNanos the latency of a request without a flush, one at a time; empty if unknown
 */
public record DurabilityCheck(
    Fsync fsync,
    WrittenStretch stretch,
    Optional<DeviceProbes> device,
    Optional<Durability> single,
    OptionalLong answerNanos) {

  /** The share of the needed flushes that proves them: stretch and count start and end apart. */
  private static final double ENOUGH = 0.9;

  /** The same with one write in flight, each of which needs one, except for two at the ends. */
  private static final double NEARLY_ALL = 0.98;

  /** Below this share of the needed flushes, there was not one for each group of writes. */
  private static final double FEW = 0.5;

  /** A device that counts fewer flushes for an fdatasync hides them. */
  private static final double FEWEST_PER_SYNC = 0.5;

  /** The fewest groups of writes that show the difference between always and sometimes. */
  private static final double FEWEST_GROUPS = 10;

  /** A write that takes less than this share of an fdatasync did not wait for one. */
  private static final double FAST = 0.5;

  /** Others who wait for a disk for more than this share of the time may have made flushes. */
  private static final double MOST_WAITS = 0.1;

  private static final double FLUSHES_PER_MEBIBYTE = 4;

  /** Longer intervals resemble the commits of most file systems, every 5 s. */
  private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(2);

  private record Finding(Verdict verdict, String reason) {}

  public Durability durability() {
    boolean counted = stretch.flushes().isPresent() && device.isPresent();
    Finding finding = finding(counted);
    return new Durability(
        device.flatMap(DeviceProbes::device).map(BlockDevice::name),
        stretch.flushes(),
        counted ? OptionalDouble.of(probes().idlePerSecond()) : OptionalDouble.empty(),
        stretch.writes(),
        !counted || stretch.writes() == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of(Math.max(0, flushes() - likelyOfOthers()) / stretch.writes()),
        finding.verdict(),
        finding.reason());
  }

  private Finding finding(boolean counted) {
    if (stretch.writes() == 0) {
      return new Finding(Verdict.NO_WRITES, "the phase wrote nothing");
    }
    if (fsync.kind() == Fsync.Kind.AS_IS) {
      return unclear("an external server's owner sets its durability, so nothing is promised");
    }
    if (!counted) {
      return unclear("%s", stretch.hindrance());
    }
    double perSync = probes().flushesPerSync();
    if (perSync < FEWEST_PER_SYNC) {
      return unclear(
          "the device counts %.2f flushes for an fdatasync, so it does not count every flush",
          perSync);
    }
    double groups = (1 - stretch.missed()) * stretch.writes() / stretch.inFlight();
    if (fsync.kind() == Fsync.Kind.EVERY) {
      return every(Math.min(1, perSync) * groups, perSync);
    }
    if (groups >= FEWEST_GROUPS) {
      return fsync.promises() ? on(groups, perSync) : off(Math.min(1, perSync) * groups, 0);
    }
    if (refuted()) {
      return refutation();
    }
    String few =
        text(
            "%,d writes with up to %,d at a time are too few to decide",
            stretch.writes(), stretch.inFlight());
    return singleIs(Verdict.PROVEN)
            && !fasterThanTheDevice()
            && flushes() >= ENOUGH * Math.min(1, perSync) * (groups - 1)
        ? new Finding(Verdict.PROVEN, few + "; with one write in flight: " + single.get().reason())
        : unclear(
            "%s",
            few
                + single
                    .map(durability -> "; with one write in flight: " + durability.reason())
                    .orElse(""));
  }

  /** Judges a timer: one sync per interval with writes, and clearly fewer than one per write. */
  private Finding every(double ofAll, double perSync) {
    double intervals =
        stretch.seconds() / ((fsync.interval().toNanos() + probes().syncP50Nanos()) / 1e9);
    double due = Math.min((double) stretch.writes(), intervals);
    String figures =
        text(
            "%s, in %.1f s; a sync every %s makes about %,.0f",
            counted(), stretch.seconds(), DurationFormat.format(fsync.interval()), perSync * due);
    if (fsync.interval().compareTo(LONGEST_INTERVAL) > 0) {
      return unclear("%s; the file system's own commits, every 5 s, look the same", figures);
    }
    if (flushes() < ENOUGH * Math.min(1, perSync) * (due - 1)) {
      return new Finding(Verdict.NOT_PROVEN, figures);
    }
    if (refuted()) {
      return refutation();
    }
    Finding few = off(ofAll, 2 * intervals);
    if (ofAll >= 4 * intervals && few.verdict() == Verdict.NOT_PROVEN) {
      return few;
    }
    if (singleIs(Verdict.PROVEN)) {
      return new Finding(Verdict.PROVEN, figures);
    }
    if (due < 2) {
      return unclear("%s: too few to decide", figures);
    }
    if (flushes() > 3 * perSync * (due + 1) + ownFiles()) {
      return unclear("%s: more than expected, so all may be others'", figures);
    }
    return flushes() - likelyOfOthers() >= ENOUGH * perSync * (due - 1)
            && flushes() - mostOfOthers() >= FEW * perSync * (due - 1)
        ? new Finding(Verdict.PROVEN, figures)
        : busy(figures);
  }

  private Finding on(double groups, double perSync) {
    double needed = perSync * groups;
    String figures = text("%s, which need about %,.0f", counted(), Math.ceil(needed)) + latencies();
    boolean fast = fasterThanTheDevice();
    double oneEach = Math.min(1, perSync) * groups;
    if (flushes() < ENOUGH * (Math.min(1, perSync) * leastGroups(groups))) {
      return new Finding(Verdict.NOT_PROVEN, figures);
    }
    // Others who sync during the probes make the device seem slow, and its flushes more.
    if (fast && !certain(oneEach)) {
      return probes().disturbed() && !fasterThanAnySync()
          ? unclear(
              "%s; the disk was disturbed while it was probed: its fastest took %s",
              figures, millis(probes().syncMinNanos()))
          : new Finding(Verdict.NOT_PROVEN, figures);
    }
    if (refuted()) {
      return refutation();
    }
    if (single.isPresent() && single.get().verdict() != Verdict.PROVEN) {
      return unclear("with one write in flight: %s", single.get().reason());
    }
    if (fast) {
      return unclear(
          "%s: there were flushes for all of them, and the device was slower while it was probed,"
              + " as by syncs of others",
          figures);
    }
    if (single.isEmpty() && stretch.inFlight() > 1) {
      return unclear("%s; nothing was measured with one write in flight", figures);
    }
    if (stretch.latency().isEmpty()) {
      return unclear("%s; the latency of these is not known", figures);
    }
    if (answerNanos.isPresent() && answerNanos.getAsLong() >= FAST * probes().syncP50Nanos()) {
      return unclear(
          "%s; the device syncs about as fast as the engine answers: a read takes %s",
          figures, millis(answerNanos.getAsLong()));
    }
    if (flushes() < ENOUGH * oneEach) {
      return unclear("%s; this machine was too busy to count from the first of them on", figures);
    }
    if (stretch.inFlight() == 1
        && stretch.missed() == 0
        && perSync >= NEARLY_ALL
        && flushes() + 2 < NEARLY_ALL * oneEach) {
      return unclear(
          "%s: up to %,.0f of the writes may not have been flushed", figures, oneEach - flushes());
    }
    if (flushes() - likelyOfOthers() >= ENOUGH * needed
        && flushes() - mostOfOthers() >= FEW * needed) {
      return new Finding(Verdict.PROVEN, figures);
    }
    return flushes() < ENOUGH * needed
        ? unclear(
            "%s, as the device counts %.2f for an fdatasync, or others synced during the probes",
            figures, perSync)
        : busy(figures);
  }

  /** Returns the fewest possible {@code groups}, if those before the count were the fastest. */
  private double leastGroups(double groups) {
    double lateNanos = stretch.missed() / (1 - stretch.missed()) * stretch.seconds() * 1e9;
    double groupsIfFull = (double) stretch.writes() / stretch.inFlight();
    return stretch
        .latency()
        .map(writes -> Math.min(groups, groupsIfFull - lateNanos / writes.p10()))
        .orElse(groups);
  }

  private boolean refuted() {
    return fsync.promises() && singleIs(Verdict.NOT_PROVEN);
  }

  private boolean singleIs(Verdict verdict) {
    return single.filter(durability -> durability.verdict() == verdict).isPresent();
  }

  private Finding refutation() {
    return new Finding(
        Verdict.NOT_PROVEN, "with one write in flight: " + single.orElseThrow().reason());
  }

  /**
   * Returns whether flushes prove the engine despite fast writes. Some devices vary in speed, and
   * the kernel merges simultaneous flushes.
   */
  private boolean certain(double needed) {
    return single.isPresent()
        ? singleIs(Verdict.PROVEN)
            || (singleIs(Verdict.NOT_MEASURABLE) && flushedForEach(single.get()))
        : stretch.inFlight() == 1
            && (flushes() - mostOfOthers() >= ENOUGH * needed || flushes() >= NEARLY_ALL * needed);
  }

  /** Returns whether the device flushed as often as there were writes, for any process. */
  private static boolean flushedForEach(Durability one) {
    return one.writes() > 0 && one.flushes().orElse(0) >= NEARLY_ALL * one.writes();
  }

  /** Judges whether flushes are clearly fewer than needed, besides those {@code due} anyway. */
  private Finding off(double needed, double due) {
    double few = FEW * needed;
    if (flushes() < few) {
      return new Finding(
          Verdict.PROVEN,
          text(
              "%s: fewer than the %,.0f of one flush for each %s",
              counted(), needed, stretch.inFlight() == 1 ? "write" : "group of writes"));
    }
    double least = flushes() - mostOfOthers() - due;
    if (least < few) {
      return busy(counted());
    }
    if (flushes() > 3 * probes().flushesPerSync() * stretch.writes()) {
      return unclear(
          "%s: more than these writes can have caused, so other processes flushed, too", counted());
    }
    if (least - ownFiles() < few) {
      return unclear(
          "%s may be those of the engine's own files, of which it wrote %,.0f MiB",
          counted(), (double) stretch.writtenBytes() / (1 << 20));
    }
    if (stretch.othersWaited() > MOST_WAITS) {
      return unclear(
          "%s may be those of others, who waited for a disk for %.0f %% of the time",
          counted(), 100 * stretch.othersWaited());
    }
    return stretch.latency().isEmpty() || fasterThanTheDevice()
        ? unclear(
            "%s, did not slow the writes, so others may have made them%s", counted(), latencies())
        : new Finding(
            Verdict.NOT_PROVEN,
            "%s: far more than fsync=%s needs, and about as many as fsync=on, so writes may be slower than at this level"
                .formatted(counted(), fsync.label()));
  }

  /** Returns the flushes that the engine's files besides its log may need. */
  private double ownFiles() {
    return FLUSHES_PER_MEBIBYTE * stretch.writtenBytes() / (1 << 20);
  }

  /** Returns for example {@code 12 flushes for 50,211 writes, up to 4 at a time}. */
  private String counted() {
    return text(
            flushes() == 1 ? "%,d flush for %,d writes" : "%,d flushes for %,d writes",
            flushes(),
            stretch.writes())
        + (stretch.inFlight() == 1
            ? ", one at a time"
            : text(", up to %,d at a time", stretch.inFlight()));
  }

  private boolean fasterThanTheDevice() {
    return stretch
        .latency()
        .filter(
            writes ->
                writes.p50() < FAST * probes().syncP50Nanos()
                    || writes.p10() < FAST * probes().syncP10Nanos())
        .isPresent();
  }

  private boolean fasterThanAnySync() {
    return stretch.latency().filter(writes -> writes.p50() < probes().syncMinNanos()).isPresent();
  }

  private String latencies() {
    String format = "; the median write took %s (p10 %s), an fdatasync of this device %s (p10 %s)";
    return stretch
        .latency()
        .map(
            writes ->
                format.formatted(
                    millis(writes.p50()),
                    millis(writes.p10()),
                    millis(probes().syncP50Nanos()),
                    millis(probes().syncP10Nanos())))
        .orElse("");
  }

  private Finding busy(String figures) {
    return unclear(
        "%s, of which others may have made %,.0f: too many to tell whose they are",
        figures, Math.min(mostOfOthers(), (double) flushes()));
  }

  private long flushes() {
    return stretch.flushes().orElseThrow();
  }

  private DeviceProbes probes() {
    return device.orElseThrow();
  }

  private double likelyOfOthers() {
    return probes().idlePerSecond() * stretch.seconds();
  }

  private double mostOfOthers() {
    return probes().mostPerSecond() * stretch.seconds();
  }

  private static Finding unclear(String format, Object... arguments) {
    return new Finding(Verdict.NOT_MEASURABLE, text(format, arguments));
  }

  private static String millis(long nanos) {
    return text("%.3f ms", nanos / 1e6);
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
