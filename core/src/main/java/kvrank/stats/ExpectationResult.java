package kvrank.stats;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.stats.infer.Estimate;

/**
 * The verdict on an expectation in one comparison group. The value decides, and the interval tells
 * how certain that is.
 *
 * @param reason why there is no value; else empty
 */
public record ExpectationResult(
    Expectation expectation,
    Group group,
    Verdict verdict,
    Optional<Estimate> estimate,
    String reason) {

  public enum Verdict {
    MET,
    /** The bound is not kept, or a value is missing because a run failed. */
    FAILED,
    /** The engine is not available here, or cannot do this. */
    NOT_JUDGED;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public boolean failed() {
    return verdict == Verdict.FAILED;
  }

  /** Returns whether the interval (for counts: every repetition) is on one side of the bound. */
  public boolean certain() {
    if (estimate.isEmpty()) {
      return true;
    }
    Estimate measured = estimate.get();
    boolean counts = expectation.metric().counted();
    if (!counts && !measured.hasInterval()) {
      return false;
    }
    double low = counts ? measured.smallest() : measured.low();
    double high = counts ? measured.largest() : measured.high();
    return expectation.keeps(low) == expectation.keeps(high);
  }

  public static List<ExpectationResult> of(ExecutionResults results) {
    return results.manifest().expectations().isEmpty() ? List.of() : of(RankingIndex.of(results));
  }

  /**
   * Judges every expectation in each of its cells at each factor point that it covers. In merged
   * results, points that its engine was not measured at are skipped.
   */
  public static List<ExpectationResult> of(RankingIndex index) {
    List<ExpectationResult> results = new ArrayList<>();
    for (Expectation expectation : index.results().manifest().expectations()) {
      for (Expectation.Cell cell : expectation.cells()) {
        Set<Group> judged = new HashSet<>();
        for (Group phaseGroup : index.phaseGroups()) {
          if (cell.phase().map(phaseGroup.phase()::equals).orElse(true)
              && phaseGroup.factors().entrySet().containsAll(expectation.point().entrySet())
              && index
                  .rankingOrEmpty(phaseGroup, Metrics.THROUGHPUT)
                  .engines()
                  .contains(expectation.engine())) {
            Group group = cell.operation().map(phaseGroup::forOperation).orElse(phaseGroup);
            Ranking ranking = index.rankingOrEmpty(group, expectation.metric());
            if (judged.add(ranking.group())) {
              results.add(of(expectation, ranking));
            }
          }
        }
      }
    }
    return List.copyOf(results);
  }

  private static ExpectationResult of(Expectation expectation, Ranking ranking) {
    Group group = ranking.group();
    Optional<Estimate> estimate = ranking.standing(expectation.engine()).map(Standing::estimate);
    if (estimate.isPresent()) {
      Verdict verdict = expectation.keeps(estimate.get().value()) ? Verdict.MET : Verdict.FAILED;
      return new ExpectationResult(expectation, group, verdict, estimate, "");
    }
    List<Excluded> excluded = ranking.excluded(expectation.engine());
    boolean refused =
        !excluded.isEmpty()
            && excluded.stream().allMatch(exclusion -> exclusion.absence().refused());
    String reason =
        excluded.isEmpty()
            ? ranking.metric().absence()
            : excluded.stream()
                .map(exclusion -> exclusion.absence().label() + ": " + exclusion.reason())
                .collect(Collectors.joining("; "));
    Verdict verdict = refused ? Verdict.NOT_JUDGED : Verdict.FAILED;
    return new ExpectationResult(expectation, group, verdict, Optional.empty(), reason);
  }
}
