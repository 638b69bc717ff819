package kvrank.site.advice;

import java.util.ArrayList;
import java.util.List;
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
        losses.crashes().isEmpty()
            ? "its " + (losses.powerCut() ? "power cuts" : "crash test")
            : CrashTrialResult.label(losses.crashes().size(), losses.powerCut());
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

  /** Adds several, with a full stop after the last. */
  public static Claim addAll(Claim claim, List<CrashResult> results) {
    String separator = "";
    for (CrashResult each : results) {
      each.addTo(claim.text(separator + "in "));
      separator = "; ";
    }
    return claim.text(".");
  }

  private List<String> found() {
    List<String> parts = new ArrayList<>();
    if (losses.lost() > 0) {
      parts.add(
          "lost %,d of %,d acknowledged writes".formatted(losses.lost(), losses.acknowledged()));
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
      parts.add("lost no acknowledged write of %,d".formatted(losses.acknowledged()));
      if (losses.unknown() > 0) {
        parts.add("after %d further attempts nothing was read".formatted(losses.unknown()));
      }
    }
    if (losses.wrong() > 0) {
      parts.add("read %,d wrong records".formatted(losses.wrong()));
    }
    parts.addAll(losses.otherOffences());
    return parts;
  }
}
