package kvrank.stats.change;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.results.ExecutionResults;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.Standing;
import kvrank.stats.VariantLabels;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.PairInference;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.Spread;

/**
 * Two executions of the same scenario, compared cell by cell ({@link ChangeTests}). Engines may
 * differ; machine and work should not.
 *
 * @param tolerance the accepted change as a share: 0.05 is 5 %
 * @param spread how much throughputs of executions of the same code differ, as a standard deviation
 *     of logarithms, if it is part of the tests and not seen in the baselines
 * @param changes every cell, in the order of the rankings
 * @param differences other differences, a sentence each
 */
public record Comparison(
    ExecutionResults baseline,
    ExecutionResults candidate,
    double tolerance,
    OptionalDouble spread,
    List<Change> changes,
    List<String> differences) {

  private static final String WRITTEN_BACK =
      "without syncs, Linux decides when pages are written, so executions of the same code differ";

  /** One cell before its verdict. */
  private record Cell(
      Group group,
      String engine,
      Metric metric,
      boolean deciding,
      Optional<Ranking> before,
      Optional<Ranking> now,
      Optional<Estimate> baseline,
      Optional<Estimate> candidate,
      Optional<PairInference> paired) {

    /** Returns whether the kernel decides the value, at another time in each execution. */
    boolean writtenBack() {
      return metric.equals(Metrics.WRITE_AMPLIFICATION)
          && !group.promisesFlushes()
          && paired.isEmpty();
    }

    boolean throughputOfPhase() {
      return metric.equals(Metrics.THROUGHPUT) && group.operation().isEmpty();
    }

    ChangeTests.Cell test() {
      return new ChangeTests.Cell(
          engine,
          group.phase() + group.factors(),
          deciding,
          metric.id(),
          logs(before),
          logs(now),
          Math.log(ratio()),
          paired);
    }

    private List<double[]> logs(Optional<Ranking> side) {
      return side.map(ranking -> ranking.comparisons().byExecution(engine)).orElse(List.of());
    }

    /** Returns the ratio of the values; NaN without one of them. */
    private double ratio() {
      return candidate.map(Estimate::value).orElse(Double.NaN)
          / baseline.map(Estimate::value).orElse(Double.NaN);
    }

    Change change(Ratio ratio, Change.Verdict verdict, double detectable, String reason) {
      return new Change(
          group, engine, metric, deciding, baseline, candidate, ratio, verdict, detectable, reason);
    }

    /** Returns the change without a test: its ratio has no interval. */
    Change untested(Change.Verdict verdict, String reason) {
      return change(Ratio.withoutInterval(ratio()), verdict, Double.NaN, reason);
    }
  }

  /** Compares the two sides of one execution. */
  public static Comparison of(Sides sides, double tolerance) {
    return of(sides.base(), sides.head(), Optional.of(sides), tolerance, Shift.stated(0));
  }

  /**
   * Compares executions; {@code shift} is how much they differ, as far as the baselines do not show
   * it.
   */
  public static Comparison of(
      ExecutionResults baseline, ExecutionResults candidate, double tolerance, Shift shift) {
    return of(baseline, candidate, Optional.empty(), tolerance, shift);
  }

  private static Comparison of(
      ExecutionResults baseline,
      ExecutionResults candidate,
      Optional<Sides> sides,
      double tolerance,
      Shift shift) {
    List<String> differences = new ArrayList<>();
    Merge.machines(baseline, candidate)
        .forEach((fact, values) -> differences.add(fact + ": " + String.join(" → ", values)));
    List<ExecutionResults> both = List.of(baseline, candidate);
    differences.addAll(Merge.notes(both));
    VariantLabels.engines(both).forEach(labels -> labels.difference().ifPresent(differences::add));
    List<ExecutionResults> apart = Merge.phasesApart(both, differences);
    List<Cell> cells =
        cells(RankingIndex.untested(apart.get(0)), RankingIndex.untested(apart.get(1)), sides);
    Map<String, Spread> spreads =
        shift.measured() ? ChangeTests.spreads(tests(shift.earlier())) : Map.of();
    Spread otherwise = Spread.stated(Math.log1p(shift.stated()));
    List<Optional<ChangeTests.Tested>> tests =
        ChangeTests.of(cells.stream().map(Cell::test).toList(), spreads, otherwise);
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      changes.add(change(cells.get(i), tests.get(i), tolerance));
    }
    double deviation =
        Math.sqrt(spreads.getOrDefault(Metrics.THROUGHPUT.id(), otherwise).variance());
    return new Comparison(
        baseline,
        candidate,
        tolerance,
        sides.isEmpty() && baseline.executions().size() < Estimate.FEWEST
            ? OptionalDouble.of(deviation)
            : OptionalDouble.empty(),
        changes,
        differences);
  }

  /** Returns the cells of executions of the same, as baselines. */
  private static List<ChangeTests.Cell> tests(List<ExecutionResults> executions) {
    RankingIndex index = RankingIndex.untested(Merge.of(executions).results());
    return cells(index, index, Optional.empty()).stream().map(Cell::test).toList();
  }

  /** Returns rankings by the parts that identify a cell; {@link Group#varying} is not one. */
  private static Map<List<Object>, Ranking> byName(List<Ranking> rankings) {
    Map<List<Object>, Ranking> byName = new LinkedHashMap<>();
    for (Ranking ranking : rankings) {
      Group group = ranking.group();
      byName.put(
          List.of(group.phase(), group.operation(), group.factors(), ranking.metric().id()),
          ranking);
    }
    return byName;
  }

  /** Returns the cells of two executions, or of the two {@code sides} of one. */
  private static List<Cell> cells(RankingIndex before, RankingIndex now, Optional<Sides> sides) {
    Map<List<Object>, Ranking> both =
        sides.map(two -> byName(RankingIndex.of(two.whole()).rankings())).orElse(Map.of());
    Map<List<Object>, Ranking> first = byName(before.rankings());
    Map<List<Object>, Ranking> second = byName(now.rankings());
    Map<List<Object>, Ranking> either = new LinkedHashMap<>(first);
    second.forEach(either::putIfAbsent);
    // A factor that varies in one of the two is shown for both.
    SortedSet<String> varying = new TreeSet<>();
    Map<List<Object>, Set<String>> operations = new HashMap<>();
    for (Ranking ranking : either.values()) {
      Group group = ranking.group();
      varying.addAll(group.varying());
      Set<String> ofPhase = operations.computeIfAbsent(phase(group), key -> new HashSet<>());
      group.operation().ifPresent(ofPhase::add);
    }
    List<Cell> cells = new ArrayList<>();
    either.forEach(
        (name, ranking) -> {
          Group group = ranking.group();
          Metric metric = ranking.metric();
          // A phase and its only operation have one throughput, and a load's time is its inverse.
          boolean repeated =
              metric.equals(Metrics.LOAD_TIME)
                  || (metric.equals(Metrics.THROUGHPUT)
                      && group.operation().isPresent()
                      && operations.get(phase(group)).size() == 1);
          if (compared(metric) && !repeated) {
            Optional<Ranking> then = Optional.ofNullable(first.get(name));
            Optional<Ranking> later = Optional.ofNullable(second.get(name));
            Set<String> engines = new TreeSet<>();
            then.ifPresent(old -> engines.addAll(old.engines()));
            later.ifPresent(recent -> engines.addAll(recent.engines()));
            Group shown = group.showing(varying);
            boolean deciding =
                !group.ofWholeRuns()
                    && ranking.equals(
                        (then.isPresent() ? before : now).decisive(group.phaseGroup()));
            Optional<Ranking> rows = Optional.ofNullable(both.get(name));
            for (String engine : engines) {
              cells.add(
                  new Cell(
                      shown,
                      engine,
                      metric,
                      deciding,
                      then,
                      later,
                      rows.flatMap(of -> sides.orElseThrow().base(of, engine))
                          .or(() -> then.flatMap(of -> of.standing(engine)))
                          .map(Standing::estimate),
                      rows.flatMap(of -> sides.orElseThrow().head(of, engine))
                          .or(() -> later.flatMap(of -> of.standing(engine)))
                          .map(Standing::estimate),
                      rows.flatMap(of -> sides.orElseThrow().test(of, engine))));
            }
          }
        });
    return cells;
  }

  private static List<Object> phase(Group group) {
    return List.of(group.phase(), group.factors());
  }

  /** Returns whether a metric is compared. Counts have no interval; minor metrics add nothing. */
  private static boolean compared(Metric metric) {
    return !metric.counted()
        && (metric.prominence() == Prominence.MAIN || metric.prominence() == Prominence.DETAIL);
  }

  private static Change change(Cell cell, Optional<ChangeTests.Tested> test, double tolerance) {
    Optional<String> broken = broken(cell);
    if (broken.isPresent()) {
      return cell.untested(Change.Verdict.BROKEN, broken.get());
    }
    if (cell.baseline().isEmpty() || cell.candidate().isEmpty()) {
      return cell.untested(Change.Verdict.NOT_COMPARED, absence(cell));
    }
    if (cell.writtenBack()) {
      return cell.untested(Change.Verdict.NO_VERDICT, WRITTEN_BACK);
    }
    if (test.isEmpty()) {
      long n =
          Math.min(
              cell.baseline().orElseThrow().samples(), cell.candidate().orElseThrow().samples());
      return cell.untested(
          Change.Verdict.NO_VERDICT,
          n < Estimate.FEWEST
              ? "n=%d, but a verdict takes at least %d repetitions".formatted(n, Estimate.FEWEST)
              : "no interval, because some values are not positive");
    }
    ChangeTests.Tested tested = test.get();
    return cell.change(
        tested.inference().ratio(tested.level()),
        verdict(cell.metric(), tested, tolerance),
        tested.inference().detectable(tested.level(), PairVerdict.POWER),
        "");
  }

  private static Change.Verdict verdict(
      Metric metric, ChangeTests.Tested tested, double tolerance) {
    if (!tested.significant()) {
      return Change.Verdict.NO_SIGNIFICANT_CHANGE;
    }
    Direction direction = metric.direction();
    double ratio = Math.exp(tested.inference().least());
    if (direction.better(ratio, tolerance)) {
      return Change.Verdict.IMPROVEMENT;
    }
    return direction.worse(ratio, tolerance)
        ? Change.Verdict.REGRESSION
        : Change.Verdict.WITHIN_THE_TOLERANCE;
  }

  /**
   * Returns the runs that broke; only at the throughput, so that they are reported once per phase.
   */
  private static Optional<String> broken(Cell cell) {
    return cell.throughputOfPhase()
            && cell.baseline().isPresent()
            && lost(cell.before(), cell.engine()).isEmpty()
        ? lost(cell.now(), cell.engine())
        : Optional.empty();
  }

  private static Optional<String> lost(Optional<Ranking> side, String engine) {
    return side.stream()
        .flatMap(ranking -> ranking.excluded(engine).stream())
        .filter(excluded -> excluded.absence().broken())
        .map(
            excluded ->
                "%d of %d runs %s %s"
                    .formatted(
                        excluded.repetitions(),
                        excluded.planned(),
                        excluded.absence().label(),
                        excluded.reason()))
        .findFirst();
  }

  private static String absence(Cell cell) {
    Optional<Ranking> ranking = cell.baseline().isEmpty() ? cell.before() : cell.now();
    String side = cell.baseline().isEmpty() ? "baseline" : "candidate";
    return ranking.stream()
        .flatMap(present -> present.excluded(cell.engine()).stream())
        .map(excluded -> side + ": " + excluded.absence().label() + ": " + excluded.reason())
        .findFirst()
        .orElse("not in the " + side);
  }

  /**
   * Returns the changes of throughput that four of five comparisons would detect, as factors above
   * 1 in ascending order, for phases that are judged by throughput.
   */
  public List<Double> detectable() {
    return changes.stream()
        .filter(change -> change.deciding() && change.metric().equals(Metrics.THROUGHPUT))
        .map(Change::detectable)
        .filter(ratio -> !Double.isNaN(ratio))
        .sorted()
        .toList();
  }

  public List<Change> of(Change.Verdict verdict) {
    return changes.stream().filter(change -> change.verdict() == verdict).toList();
  }

  public boolean regressed() {
    return changes.stream().anyMatch(change -> change.verdict().bad());
  }

  /** Returns whether any cell has a value in both, or broke. */
  public boolean comparable() {
    return changes.stream().anyMatch(change -> change.verdict() != Change.Verdict.NOT_COMPARED);
  }
}
