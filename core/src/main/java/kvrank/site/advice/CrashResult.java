package kvrank.site.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.Stream;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.results.CrashTrialResult;
import kvrank.stats.CrashLosses;
import kvrank.stats.Group;

/**
 * What an engine lost at one factor point: when it was killed, or in power cuts.
 *
 * @param group a phase at that point
 * @param unsafe whether it broke the promise of its level
 */
public record CrashResult(
    Study study, Group group, String engine, CrashLosses losses, boolean unsafe) {

  /** Crashes after numbers of writes that differ by more than this factor are not alike. */
  private static final int UNLIKE = 10;

  /** With more lost writes than this share, those that cannot be checked are worth a word. */
  private static final double MOST = 0.5;

  /** Returns the results of all engines. */
  public static List<CrashResult> of(Study study) {
    return study.index().phaseGroupsByPoint().stream()
        .map(point -> point.get(0))
        .flatMap(
            group ->
                study.index().engines().stream()
                    .flatMap(engine -> of(study, group, engine).stream()))
        .toList();
  }

  /** Returns the results of an engine in power cuts and kills; none without an attempt. */
  public static List<CrashResult> of(Study study, Group group, String engine) {
    return Stream.of(true, false)
        .map(powerCut -> study.index().losses(group, engine, powerCut))
        .filter(losses -> !losses.crashes().isEmpty() || !losses.missing().isEmpty())
        .map(losses -> new CrashResult(study, group, engine, losses, losses.unsafe()))
        .toList();
  }

  public Kind kind() {
    return study.kind(engine);
  }

  /** Returns whether the engine was crashed, and not only its test asked for. */
  public boolean crashed() {
    return !losses.crashes().isEmpty();
  }

  /** Returns whether crashes cost data, no matter whether the level allows that. */
  public boolean costs() {
    return lost() || losses.unavailable().isPresent();
  }

  /** Returns whether data are gone, or the engine does not open them any more. */
  public boolean lost() {
    return losses.lost() + losses.wrong() + losses.dead() + losses.unreadable() > 0;
  }

  /** Returns whether the level promises something, and this does not show that it is kept. */
  public boolean unproven() {
    return group.promisesFlushes() && !unsafe && losses.unproven().isPresent();
  }

  /** Returns whether this shows that the engine loses nothing that its level promises. */
  public boolean proves() {
    return !unsafe && losses.unproven().isEmpty() && losses.conclusive() > 0;
  }

  /** Adds for example {@code 3 crashes it lost 12 of 1,894 acknowledged writes (…)}. */
  public Claim addTo(Claim claim) {
    String what =
        crashed()
            ? CrashTrialResult.label(losses.crashes().size(), losses.powerCut())
            : "its " + (losses.powerCut() ? "power cuts" : "crash test");
    return claim
        .link(what, study.crashes(group, engine))
        .text(
            " it %s (%s, %s%s)"
                .formatted(
                    String.join(", ", found()),
                    study.machine().label(),
                    study.scenario(),
                    group.pointSuffix()));
  }

  /** Adds several. */
  public static Claim addAll(Claim claim, List<CrashResult> results) {
    String separator = "";
    for (CrashResult each : results) {
      each.addTo(claim.text(separator + "in "));
      separator = "; ";
    }
    return claim;
  }

  private List<String> found() {
    List<String> parts = new ArrayList<>();
    if (losses.lost() > 0) {
      parts.add(
          "lost %,d of %,d acknowledged writes%s"
              .formatted(losses.lost(), losses.acknowledged(), among() + details()));
      if (losses.beyondInterval()) {
        parts.add(
            "the oldest after %s although it syncs every %s"
                .formatted(
                    Quantities.of(
                        Unit.NANOSECONDS, (double) losses.oldestLostNanos().orElseThrow()),
                    losses.interval().orElseThrow()));
      }
    } else if (losses.unproven().isPresent()) {
      parts.add("may lose writes: " + losses.unproven().orElseThrow());
    } else if (losses.conclusive() > 0) {
      parts.add(
          "lost no acknowledged write of %,d%s"
              .formatted(losses.acknowledged(), among() + details()));
      if (losses.unknown() > 0) {
        parts.add("after %d further attempts nothing was read".formatted(losses.unknown()));
      }
    }
    if (losses.wrong() > 0) {
      parts.add("read %,d wrong records".formatted(losses.wrong()));
    }
    parts.addAll(losses.otherOffences());
    if (losses.unavailable().isPresent() && losses.unread() > 0) {
      parts.add("so %,d acknowledged writes could not be read".formatted(losses.unread()));
    }
    return parts;
  }

  /** Returns for example {@code in the 4 that prove something}, if others prove nothing. */
  private String among() {
    int conclusive = losses.conclusive();
    return conclusive == losses.crashes().size()
        ? ""
        : " in the %d that prove something".formatted(conclusive);
  }

  /** Returns for example {@code (all that can be checked; 301 to 247,000 before each)}. */
  private String details() {
    List<String> details = new ArrayList<>();
    double share = losses.lostShare();
    if (share > MOST) {
      // Next to all acknowledged writes, the lost ones look as if the rest was kept.
      details.add(
          (share == 1 ? "all" : Quantities.portion(share) + " of those") + " that can be checked");
    }
    LongSummaryStatistics each = losses.acknowledgedEach();
    if (each.getMax() > UNLIKE * each.getMin()) {
      details.add("%,d to %,d before each".formatted(each.getMin(), each.getMax()));
    }
    return details.isEmpty() ? "" : " (" + String.join("; ", details) + ")";
  }
}
