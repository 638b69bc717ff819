package kvrank.site.advice;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import kvrank.fact.Fact;
import kvrank.metric.Unit;
import kvrank.report.block.Quantities;
import kvrank.report.ranking.Labels;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;

/**
 * Whether the data of runs were larger than the memory that these could use, or than the limit at
 * which the engine evicts records.
 *
 * @param data the largest size of a run's records, in bytes; 0 if unknown
 * @param share the largest share of the memory that they took; 0 if unknown
 */
public record Scale(double data, double share) {

  /** Returns the scale of all {@code runs}. */
  public static Scale of(List<RunRecord> runs) {
    double most = 0;
    double share = 0;
    for (RunRecord run : runs) {
      double data = data(run);
      double own = data / Math.min(run.facts().number(Fact.MEMORY_AVAILABLE_BYTES), limit(run));
      most = Math.max(most, data);
      share = own > share ? own : share; // not NaN
    }
    return new Scale(most, share);
  }

  /** Returns the size at which the engine evicts records; infinite without one. */
  private static double limit(RunRecord run) {
    return Unit.BYTES
        .value(run.factors().getOrDefault("maxmemory", ""))
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** Returns a sentence about all runs; empty if no size is known. */
  public static Optional<Claim> of(Collection<Study> studies) {
    List<String> larger =
        studies.stream()
            .filter(study -> study.scale().share() > 1)
            .map(Study::scenario)
            .distinct()
            .toList();
    if (!larger.isEmpty()) {
      return Optional.of(
          Claim.of(
              "Data were larger than the memory or 'maxmemory' of runs only in the scenario%s %s."
                  .formatted(
                      larger.size() == 1 ? "" : "s",
                      Labels.joined(larger.stream().map("'%s'"::formatted).toList()))));
    }
    double most = studies.stream().mapToDouble(study -> study.scale().data()).max().orElse(0);
    boolean known = studies.stream().anyMatch(study -> study.scale().share() > 0);
    return known
        ? Optional.of(
            Claim.of(
                "All data (%s at most) were smaller than the memory of runs: nothing here shows larger data."
                    .formatted(Quantities.of(Unit.BYTES, most))))
        : Optional.empty();
  }

  /** Returns the largest size of a run's records; 0 if unknown. */
  private static double data(RunRecord run) {
    return run.phases().stream().mapToDouble(Scale::data).filter(size -> size > 0).max().orElse(0);
  }

  private static double data(PhaseRecord phase) {
    // Without this fact, records may be evicted; then a load has the bytes that it wrote.
    double live = phase.facts().number(Fact.USER_LIVE_BYTES);
    return Double.isNaN(live) && phase.load()
        ? phase.facts().number(Fact.USER_WRITTEN_BYTES)
        : live;
  }
}
