package kvrank.stats;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collectors;
import kvrank.metric.Direction;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.metric.Scope;
import kvrank.results.ExecutionResults;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.Ratio;

/**
 * The verdict on an expectation in one comparison group. The value decides, and the interval tells
 * how certain that is.
 *
 * @param estimate of the metric
 * @param ratio to the other row, if the bound is relative; it decides then
 * @param reason why there is no verdict by a value; else empty
 */
public record ExpectationResult(
    Expectation expectation,
    Group group,
    Verdict verdict,
    Optional<Estimate> estimate,
    Optional<Ratio> ratio,
    String reason) {

  public enum Verdict {
    MET,
    /** The bound is not kept, or a value is missing because a run failed. */
    FAILED,
    /** The engine is not available here, cannot do this, or its process cannot be observed. */
    NOT_JUDGED;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public boolean failed() {
    return verdict == Verdict.FAILED;
  }

  /** Returns the value that decides, in the unit of the bound; NaN without one. */
  public double value() {
    if (verdict == Verdict.NOT_JUDGED) {
      return Double.NaN;
    }
    return ratio.map(Ratio::value).or(() -> estimate.map(Estimate::value)).orElse(Double.NaN);
  }

  /** Returns the lower end of the interval of {@link #value}; NaN without one. */
  public double low() {
    return ratio.map(Ratio::low).or(() -> estimate.map(Estimate::low)).orElse(Double.NaN);
  }

  public double high() {
    return ratio.map(Ratio::high).or(() -> estimate.map(Estimate::high)).orElse(Double.NaN);
  }

  public boolean hasInterval() {
    return Double.isFinite(low()) && Double.isFinite(high());
  }

  /** Returns whether the interval (for counts: every repetition) is on one side of the bound. */
  public boolean certain() {
    if (Double.isNaN(value())) {
      return true;
    }
    if (expectation.metric().counted()) {
      Estimate counts = estimate.orElseThrow();
      return expectation.keeps(counts.smallest()) == expectation.keeps(counts.largest());
    }
    return hasInterval() && expectation.keeps(low()) == expectation.keeps(high());
  }

  /**
   * Returns the factor by which a value misses the bound, below 1 if it keeps it; infinity without
   * a value.
   */
  public double excess() {
    double value = value();
    double excess = expectation.below() ? value / expectation.bound() : expectation.bound() / value;
    return Double.isNaN(excess) ? Double.POSITIVE_INFINITY : excess;
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
    String engine = expectation.engine();
    Optional<Estimate> estimate = ranking.standing(engine).map(Standing::estimate);
    Optional<Ratio> ratio = Optional.empty();
    if (estimate.isEmpty()) {
      List<Excluded> excluded = ranking.excluded(engine);
      // A percentile is missing because of too few requests, other values cannot be observed.
      boolean unseen = expectation.metric().scope() != Scope.OPERATION;
      boolean refused =
          (unseen || !excluded.isEmpty())
              && excluded.stream()
                  .map(Excluded::absence)
                  .allMatch(why -> why.unmeasured() || (unseen && why.withoutValue()));
      return new ExpectationResult(
          expectation,
          group,
          refused ? Verdict.NOT_JUDGED : Verdict.FAILED,
          estimate,
          ratio,
          reason(ranking, engine));
    }
    if (expectation.other().isPresent()) {
      String other = expectation.other().get();
      boolean best = other.equals(Expectation.BEST) && !ranking.engines().contains(other);
      ratio =
          best
              ? Optional.of(ratioToBest(ranking, engine))
              : ranking.standing(other).map(any -> ranking.ratio(engine, other));
      if (ratio.isEmpty() || Double.isNaN(ratio.get().value())) {
        String why = other + " has no value to compare with: " + reason(ranking, other);
        return new ExpectationResult(expectation, group, Verdict.NOT_JUDGED, estimate, ratio, why);
      }
    }
    ExpectationResult undecided =
        new ExpectationResult(expectation, group, Verdict.MET, estimate, ratio, "");
    return expectation.keeps(undecided.value())
        ? undecided
        : new ExpectationResult(expectation, group, Verdict.FAILED, estimate, ratio, "");
  }

  /**
   * Returns the ratio to whichever engine is best. It is the worst of the ratios to all others, so
   * an engine that is first by chance is compared with those that may be better.
   */
  private static Ratio ratioToBest(Ranking ranking, String engine) {
    boolean higher = ranking.metric().direction() == Direction.HIGHER;
    DoubleBinaryOperator worse = higher ? Math::min : Math::max;
    double value = 1;
    double low = 1;
    double high = 1;
    double confidence = Double.NaN;
    for (Standing other : ranking.standings()) {
      if (!other.engine().equals(engine)) {
        Ratio ratio = ranking.ratio(engine, other.engine());
        value = worse.applyAsDouble(value, ratio.value());
        low = worse.applyAsDouble(low, ratio.low());
        high = worse.applyAsDouble(high, ratio.high());
        confidence = ratio.confidence();
      }
    }
    return new Ratio(value, low, high, confidence);
  }

  /** Returns the reason why {@code engine} has no value. */
  private static String reason(Ranking ranking, String engine) {
    List<Excluded> excluded = ranking.excluded(engine);
    return excluded.isEmpty()
        ? ranking.metric().usualAbsence()
        : excluded.stream()
            .map(exclusion -> exclusion.absence().label() + ": " + exclusion.reason())
            .collect(Collectors.joining("; "));
  }
}
