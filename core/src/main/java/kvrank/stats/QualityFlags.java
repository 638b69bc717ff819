package kvrank.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import kvrank.results.Durability;
import kvrank.results.PhaseRecord;

/** What makes a measurement mean less than it seems, as labels for a table. */
public final class QualityFlags {

  /** The label of a durability that is not proven. */
  public static final String NOT_PROVEN = Durability.Verdict.NOT_PROVEN.label();

  /** A harness that reaches less than twice what was measured may itself be what was measured. */
  private static final double HEADROOM = 0.5;

  /** An engine that achieves less than this share of the rate that was asked is saturated. */
  private static final double KEPT = 0.95;

  /** Others that use more than this share of the machine may have slowed the engine down. */
  private static final double OTHERS = 0.1;

  private QualityFlags() {}

  /**
   * The labels of one engine's repetitions of one phase: {@code not proven} for its durability,
   * {@code saturated}, {@code harness-bound}, {@code not steady}, {@code disturbed}; with how many
   * of the repetitions, if not all.
   */
  public static List<String> of(Collection<PhaseRecord> repetitions) {
    List<String> labels = new ArrayList<>();
    label(NOT_PROVEN, repetitions, QualityFlags::notProven).ifPresent(labels::add);
    label("saturated", repetitions, QualityFlags::saturated).ifPresent(labels::add);
    label("harness-bound", repetitions, QualityFlags::harnessBound).ifPresent(labels::add);
    label("not steady", repetitions, QualityFlags::notSteady).ifPresent(labels::add);
    label("disturbed", repetitions, QualityFlags::disturbed).ifPresent(labels::add);
    return labels;
  }

  private static Optional<String> label(
      String name, Collection<PhaseRecord> repetitions, Predicate<PhaseRecord> holds) {
    long count = repetitions.stream().filter(holds).count();
    if (count == 0) {
      return Optional.empty();
    }
    return Optional.of(
        count == repetitions.size() ? name : "%s %d/%d".formatted(name, count, repetitions.size()));
  }

  /** Whether its durability is not the one that was asked for, as far as flushes tell. */
  public static boolean notProven(PhaseRecord phase) {
    return phase
        .durability()
        .filter(durability -> durability.verdict() == Durability.Verdict.NOT_PROVEN)
        .isPresent();
  }

  /** Whether the rate that was asked for was not kept. */
  private static boolean saturated(PhaseRecord phase) {
    double asked = number(phase, "rate.asked");
    return phase.points().isEmpty() && asked > 0 && number(phase, "rate.achieved") < KEPT * asked;
  }

  /** Whether the harness without an engine reaches less than twice as much. */
  private static boolean harnessBound(PhaseRecord phase) {
    double ceiling = number(phase, "harness.ceiling");
    return ceiling > 0 && phase.throughput() > HEADROOM * ceiling;
  }

  /** Whether others, on this machine or on its host, used much of it meanwhile. */
  private static boolean disturbed(PhaseRecord phase) {
    return number(phase, "others.cpuShare") + orNone(number(phase, "steal.cpuShare")) > OTHERS;
  }

  private static double orNone(double number) {
    return Double.isNaN(number) ? 0 : number;
  }

  private static boolean notSteady(PhaseRecord phase) {
    return "no".equals(phase.facts().get("steady"));
  }

  private static double number(PhaseRecord phase, String fact) {
    return Sample.number(phase.facts(), fact);
  }
}
