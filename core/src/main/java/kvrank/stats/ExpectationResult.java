package kvrank.stats;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import kvrank.metric.Expectation;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.Results;

/**
 * What became of an expectation in one comparison group. The median decides; the interval says how
 * sure that is.
 *
 * @param group where it was looked for
 * @param estimate the value, if there is one
 * @param reason why there is no value; empty if there is one
 */
public record ExpectationResult(
    Expectation expectation,
    Group group,
    Verdict verdict,
    Optional<Estimate> estimate,
    String reason) {

  public ExpectationResult {
    requireNonNull(expectation, "expectation is null");
    requireNonNull(group, "group is null");
    requireNonNull(verdict, "verdict is null");
    requireNonNull(estimate, "estimate is null");
    requireNonNull(reason, "reason is null");
  }

  /** A closed set of ends. */
  public enum Verdict {
    MET("met"),
    /** The bound is not kept, or a run that should tell did not. */
    FAILED("failed"),
    /** The engine cannot be had here, or cannot do this. */
    NOT_JUDGED("not judged");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** The name in reports. */
    public String label() {
      return label;
    }
  }

  /** Whether this fails the execution. */
  public boolean failed() {
    return verdict == Verdict.FAILED;
  }

  /** Whether the whole interval, or of counts every repetition, is on one side of the bound. */
  public boolean certain() {
    if (estimate.isEmpty()) {
      return true;
    }
    Estimate found = estimate.get();
    boolean counts = expectation.metric().counted();
    if (!counts && !found.hasInterval()) {
      return false;
    }
    double low = counts ? found.smallest() : found.low();
    double high = counts ? found.largest() : found.high();
    return expectation.keeps(low) == expectation.keeps(high);
  }

  /**
   * Judges every expectation of {@code results} in each of its cells and at each factor point that
   * it is about. Merged results have none: an expectation belongs to one execution.
   */
  public static List<ExpectationResult> of(Results results) {
    if (results.manifest().expectations().isEmpty()) {
      return List.of();
    }
    List<Ranking> rankings = Rankings.of(results);
    List<ExpectationResult> found = new ArrayList<>();
    for (Expectation expectation : results.manifest().expectations()) {
      for (Expectation.Cell cell : expectation.cells()) {
        Set<Group> judged = new HashSet<>();
        for (Ranking throughput : rankings) {
          if (whole(throughput, cell)
              && contains(throughput.group().factors(), expectation.point())) {
            Group group =
                cell.operation()
                    .map(throughput.group()::of)
                    .orElseGet(throughput::group)
                    .of(expectation.metric());
            if (judged.add(group)) {
              found.add(of(expectation, group, throughput, rankings));
            }
          }
        }
      }
    }
    return List.copyOf(found);
  }

  /** Whether this is the one ranking that each phase has at each factor point. */
  private static boolean whole(Ranking ranking, Expectation.Cell cell) {
    return ranking.metric().equals(Metrics.THROUGHPUT)
        && ranking.group().operation().isEmpty()
        && cell.phase().map(ranking.group().phase()::equals).orElse(true);
  }

  private static boolean contains(
      SortedMap<String, String> factors, SortedMap<String, String> point) {
    return factors.entrySet().containsAll(point.entrySet());
  }

  private static ExpectationResult of(
      Expectation expectation, Group group, Ranking throughput, List<Ranking> rankings) {
    Metric metric = expectation.metric();
    Optional<Ranking> ranking =
        rankings.stream()
            .filter(each -> each.group().equals(group) && each.metric().equals(metric))
            .findFirst();
    Optional<Estimate> estimate =
        ranking.flatMap(each -> each.standing(expectation.engine())).map(Standing::estimate);
    if (estimate.isPresent()) {
      Verdict verdict = expectation.keeps(estimate.get().value()) ? Verdict.MET : Verdict.FAILED;
      return new ExpectationResult(expectation, group, verdict, estimate, "");
    }
    List<Excluded> excluded =
        ranking.orElse(throughput).excluded().stream()
            .filter(each -> each.engine().equals(expectation.engine()))
            .toList();
    boolean refused =
        !excluded.isEmpty()
            && excluded.stream().allMatch(each -> each.absence().refused());
    String reason =
        excluded.isEmpty()
            ? metric.absence()
            : excluded.stream()
                .map(each -> each.absence().label() + ": " + each.reason())
                .collect(Collectors.joining("; "));
    Verdict verdict = refused ? Verdict.NOT_JUDGED : Verdict.FAILED;
    return new ExpectationResult(expectation, group, verdict, Optional.empty(), reason);
  }

  private static List<String> refusals() {
    return List.of("unavailable", "unsupported");
  }
}
