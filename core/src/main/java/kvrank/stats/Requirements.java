package kvrank.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import kvrank.metric.Direction;
import kvrank.metric.Expectation;
import kvrank.metric.Preference;
import kvrank.stats.ExpectationResult.Verdict;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.Separation;

/**
 * The verdict on each engine by all expectations of a scenario together.
 *
 * @param texts the requirements without engines, in the order of the scenario
 * @param rows those that meet all first, by the preference; then by the number failed
 * @param prefer the metric that orders engines
 */
public record Requirements(
    List<String> texts, List<Row> rows, Optional<Preference> prefer, List<Ranking> preferred) {

  /** The verdict on an engine. */
  public enum Kind {
    MEETS_ALL,
    /**
     * The interval of a value includes its bound, or durability is not proven; else all are met.
     */
    NOT_CERTAIN,
    FAILS,
    /** The engine is not available here or cannot do something; no bound is broken. */
    NOT_JUDGED;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One engine.
   *
   * @param worst the worst result of each requirement, by its text
   * @param value of the preferred metric, the worst of several; empty without one
   * @param doubted whether the disk's flushes contradict a level that promises some
   */
  public record Row(
      String engine,
      Kind kind,
      Map<String, ExpectationResult> worst,
      Optional<Estimate> value,
      boolean doubted) {

    /** Returns the results with this verdict, the worst first. */
    public List<ExpectationResult> with(Verdict verdict) {
      return worst.values().stream()
          .filter(result -> result.verdict() == verdict)
          .sorted(Comparator.comparing(result -> -result.excess()))
          .toList();
    }

    /** Returns whether any requirement is judged. */
    public boolean measured() {
      return worst.size() > with(Verdict.NOT_JUDGED).size();
    }

    /** Returns the results that certainly break their bound, the worst first. */
    public List<ExpectationResult> broken() {
      return with(Verdict.FAILED).stream().filter(result -> !Requirements.open(result)).toList();
    }

    /** Returns the results whose interval includes the bound. */
    public List<ExpectationResult> open() {
      return worst.values().stream().filter(Requirements::open).toList();
    }

    int failed() {
      return with(Verdict.FAILED).size();
    }
  }

  /** Returns the verdicts on every engine with an expectation; no rows without expectations. */
  public static Requirements of(RankingIndex index) {
    Map<String, Map<String, ExpectationResult>> engines = new LinkedHashMap<>();
    List<ExpectationResult> results = ExpectationResult.of(index);
    index.engines().forEach(engine -> engines.put(engine, new LinkedHashMap<>()));
    Comparator<ExpectationResult> better =
        Comparator.comparing(Requirements::severity).thenComparing(ExpectationResult::excess);
    for (ExpectationResult result : results) {
      engines
          .getOrDefault(result.expectation().engine(), new LinkedHashMap<>())
          .merge(
              result.expectation().requirement(),
              result,
              (first, second) -> better.compare(first, second) < 0 ? second : first);
    }
    Optional<Preference> prefer = index.results().manifest().prefer();
    List<Ranking> preferred = prefer.map(order -> rankings(index, order)).orElse(List.of());
    List<Row> rows = new ArrayList<>();
    engines.forEach(
        (engine, worst) -> {
          if (!worst.isEmpty()) {
            Optional<Estimate> value = worst(engine, preferred).map(Map.Entry::getValue);
            boolean doubted =
                index.phaseGroups().stream()
                    .filter(Group::promisesFlushes)
                    .anyMatch(group -> index.doubted(group, engine));
            rows.add(new Row(engine, kind(worst, doubted), worst, value, doubted));
          }
        });
    rows.sort(
        Comparator.comparing(Row::kind)
            .thenComparing(Row::failed)
            .thenComparing(Row::value, (first, second) -> compare(prefer, first, second)));
    List<String> texts =
        results.stream().map(each -> each.expectation().requirement()).distinct().toList();
    return new Requirements(texts, rows, prefer, preferred);
  }

  private static List<Ranking> rankings(RankingIndex index, Preference prefer) {
    List<Ranking> rankings = new ArrayList<>();
    for (Group phaseGroup : index.phaseGroups()) {
      for (Expectation.Cell cell : prefer.cells()) {
        if (cell.phase().map(phaseGroup.phase()::equals).orElse(true)) {
          Group group = cell.operation().map(phaseGroup::forOperation).orElse(phaseGroup);
          index.ranking(group, prefer.metric()).ifPresent(rankings::add);
        }
      }
    }
    return rankings.stream().distinct().toList();
  }

  /** Returns the worst value of {@code engine}, and the ranking that has it. */
  private static Optional<Map.Entry<Ranking, Estimate>> worst(
      String engine, List<Ranking> rankings) {
    return rankings.stream()
        .flatMap(
            ranking ->
                ranking.standing(engine).stream()
                    .map(Standing::estimate)
                    .map(estimate -> Map.entry(ranking, estimate)))
        .max(
            (first, second) ->
                first
                    .getKey()
                    .metric()
                    .direction()
                    .compare(first.getValue().value(), second.getValue().value()));
  }

  private static int compare(
      Optional<Preference> prefer, Optional<Estimate> first, Optional<Estimate> second) {
    return prefer.isEmpty() || first.isEmpty() || second.isEmpty()
        ? Boolean.compare(first.isEmpty(), second.isEmpty())
        : prefer.get().metric().direction().compare(first.get().value(), second.get().value());
  }

  private static Kind kind(Map<String, ExpectationResult> worst, boolean doubted) {
    boolean open = doubted || worst.values().stream().anyMatch(Requirements::open);
    boolean failed = worst.values().stream().anyMatch(each -> each.failed() && !open(each));
    boolean missing =
        worst.values().stream().anyMatch(each -> each.verdict() == Verdict.NOT_JUDGED);
    return failed
        ? Kind.FAILS
        : missing ? Kind.NOT_JUDGED : open ? Kind.NOT_CERTAIN : Kind.MEETS_ALL;
  }

  /**
   * Returns whether the interval includes the bound. Without an interval, as for fewer than three
   * repetitions, the value decides.
   */
  public static boolean open(ExpectationResult result) {
    return !result.certain() && (result.hasInterval() || result.expectation().metric().counted());
  }

  /** Returns 0 for the best result, and more for worse ones. */
  private static int severity(ExpectationResult result) {
    return switch (result.verdict()) {
      case MET -> open(result) ? 1 : 0;
      case NOT_JUDGED -> 2;
      case FAILED -> open(result) ? 3 : 4;
    };
  }

  /** Returns whether a verdict comes from a value without an interval. */
  public boolean byValueOnly() {
    return rows.stream()
        .flatMap(row -> row.worst().values().stream())
        .anyMatch(result -> !result.certain() && !open(result));
  }

  public List<Row> rows(Kind kind) {
    return rows.stream().filter(row -> row.kind() == kind).toList();
  }

  /**
   * Returns the ratio by which the first engine is better than the second, above 1; empty if their
   * worst values are of different rankings, or if the metric does not separate them.
   */
  public Optional<Ratio> lead(Row first, Row second) {
    Optional<Ranking> of = worst(first.engine(), preferred).map(Map.Entry::getKey);
    boolean same = of.equals(worst(second.engine(), preferred).map(Map.Entry::getKey));
    boolean lower = prefer.filter(each -> each.metric().direction() == Direction.LOWER).isPresent();
    return of.filter(any -> same)
        .map(
            each ->
                lower
                    ? each.verdict(second.engine(), first.engine())
                    : each.verdict(first.engine(), second.engine()))
        .filter(PairVerdict::separated)
        .map(PairVerdict::ratio);
  }

  /**
   * Returns whether the preferred metric separates two engines that follow each other: where the
   * first is worst, the second is still worse. No test compares values of different phases.
   */
  public boolean separated(Row first, Row second) {
    Optional<Ranking> ranking = worst(first.engine(), preferred).map(Map.Entry::getKey);
    return ranking
        .map(of -> of.verdict(first.engine(), second.engine()))
        .map(
            verdict ->
                verdict.separated()
                    ? prefer.orElseThrow().metric().direction().compare(verdict.value(), 1) < 0
                    : verdict.kind() == Separation.UNTESTED)
        .orElse(true);
  }
}
