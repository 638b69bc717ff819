package kvrank.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Prominence;
import kvrank.results.Results;

/**
 * Two executions of the same question, compared cell by cell. The engines may have changed, for
 * that is the question; the machine and the work may not.
 *
 * <p>{@link ChangeTests} says what is a change: if nothing changed, nothing is called one in 95 of
 * 100 comparisons.
 *
 * @param tolerance how much may change, as a share: 0.05 is 5 %
 * @param changes every cell, in the order of the rankings
 * @param differences what else is not the same, a sentence each
 */
public record Comparison(
    Results baseline,
    Results candidate,
    double tolerance,
    List<Change> changes,
    List<String> differences) {

  public Comparison {
    changes = List.copyOf(changes);
    differences = List.copyOf(differences);
  }

  /** One cell before it has a verdict. */
  private record Cell(
      Group group, String engine, Metric metric, Optional<Ranking> before, Optional<Ranking> now) {

    static Optional<Estimate> estimate(Optional<Ranking> ranking, String engine) {
      return ranking.flatMap(found -> found.standing(engine)).map(Standing::estimate);
    }

    Optional<Estimate> baseline() {
      return estimate(before, engine);
    }

    Optional<Estimate> candidate() {
      return estimate(now, engine);
    }

    ChangeTests.Cell test() {
      boolean rated = !group.factors().getOrDefault("rate", "max").equals("max");
      return new ChangeTests.Cell(
          String.join("\n", engine, group.phase(), group.factors().toString()),
          rated
              ? metric.equals(Metrics.LATENCY_P99)
              : metric.equals(Metrics.THROUGHPUT) && group.operation().isEmpty(),
          metric.id(),
          logs(before),
          logs(now).stream().flatMapToDouble(Arrays::stream).boxed().toList());
    }

    private List<double[]> logs(Optional<Ranking> ranking) {
      return ranking
          .map(found -> found.comparisons().table().byExecution(engine))
          .orElse(List.of());
    }

    Change change(Ratio ratio, Change.Verdict verdict, String reason) {
      return change(ratio, verdict, Double.NaN, reason);
    }

    Change change(Ratio ratio, Change.Verdict verdict, double detectable, String reason) {
      return new Change(
          group, engine, metric, baseline(), candidate(), ratio, verdict, detectable, reason);
    }
  }

  /** Compares the two; {@code tolerance} is a share. */
  public static Comparison of(Results baseline, Results candidate, double tolerance) {
    List<String> differences = new ArrayList<>();
    Merge.machines(baseline, candidate)
        .forEach((fact, values) -> differences.add(fact + ": " + String.join(" → ", values)));
    List<Results> both = List.of(baseline, candidate);
    VariantLabels.engines(both).forEach(each -> each.difference().ifPresent(differences::add));
    List<Results> apart = Merge.phasesApart(both, differences);
    Map<String, Ranking> before = byName(Rankings.of(apart.get(0)));
    Map<String, Ranking> now = byName(Rankings.of(apart.get(1)));
    List<Cell> cells = cells(before, now);
    List<Optional<ChangeTests.Tested>> tests =
        ChangeTests.of(cells.stream().map(Cell::test).toList());
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      changes.add(change(cells.get(i), tests.get(i), tolerance));
    }
    return new Comparison(baseline, candidate, tolerance, changes, differences);
  }

  /** By what makes a cell the same in both, which factors vary aside. */
  private static Map<String, Ranking> byName(List<Ranking> rankings) {
    Map<String, Ranking> byName = new LinkedHashMap<>();
    for (Ranking ranking : rankings) {
      Group group = ranking.group();
      byName.put(
          String.join(
              "\n",
              group.phase(),
              group.operation().orElse(""),
              group.factors().toString(),
              ranking.metric().id()),
          ranking);
    }
    return byName;
  }

  private static List<Cell> cells(Map<String, Ranking> before, Map<String, Ranking> now) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(now.keySet());
    List<Cell> cells = new ArrayList<>();
    for (String name : names) {
      Optional<Ranking> first = Optional.ofNullable(before.get(name));
      Optional<Ranking> second = Optional.ofNullable(now.get(name));
      Ranking any = first.or(() -> second).orElseThrow();
      if (!compared(any.metric()) || repeated(any, before, now)) {
        continue;
      }
      Set<String> engines = new TreeSet<>();
      first.ifPresent(ranking -> engines.addAll(engines(ranking)));
      second.ifPresent(ranking -> engines.addAll(engines(ranking)));
      for (String engine : engines) {
        cells.add(new Cell(group(any, before, now), engine, any.metric(), first, second));
      }
    }
    return cells;
  }

  /** Counts have no interval, and what is shown on the side says nothing of its own. */
  private static boolean compared(Metric metric) {
    return !metric.counted()
        && (metric.prominence() == Prominence.MAIN || metric.prominence() == Prominence.DETAIL);
  }

  private static Set<String> engines(Ranking ranking) {
    Set<String> engines = new LinkedHashSet<>();
    ranking.standings().forEach(standing -> engines.add(standing.engine()));
    ranking.excluded().forEach(excluded -> engines.add(excluded.engine()));
    return engines;
  }

  /** Factors that vary in one of the two are shown for both. */
  private static Group group(Ranking any, Map<String, Ranking> before, Map<String, Ranking> now) {
    Group group = any.group();
    Set<String> varying = new TreeSet<>(group.varying());
    before.values().stream().findFirst().ifPresent(r -> varying.addAll(r.group().varying()));
    now.values().stream().findFirst().ifPresent(r -> varying.addAll(r.group().varying()));
    return new Group(
        group.phase(),
        group.workload(),
        group.operation(),
        group.factors(),
        new TreeSet<>(varying));
  }

  /** Whether this is the throughput of the only operation of its phase: the phase has it too. */
  private static boolean repeated(
      Ranking ranking, Map<String, Ranking> before, Map<String, Ranking> now) {
    if (!ranking.metric().equals(Metrics.THROUGHPUT) || ranking.group().operation().isEmpty()) {
      return false;
    }
    Set<String> operations = new LinkedHashSet<>();
    for (Map<String, Ranking> rankings : List.of(before, now)) {
      rankings.values().stream()
          .map(Ranking::group)
          .filter(group -> group.phase().equals(ranking.group().phase()))
          .filter(group -> group.factors().equals(ranking.group().factors()))
          .forEach(group -> group.operation().ifPresent(operations::add));
    }
    return operations.size() == 1;
  }

  private static Change change(Cell cell, Optional<ChangeTests.Tested> test, double tolerance) {
    Optional<String> broken = broken(cell);
    if (broken.isPresent()) {
      return cell.change(ratio(cell), Change.Verdict.BROKEN, broken.get());
    }
    if (cell.baseline().isEmpty() || cell.candidate().isEmpty()) {
      return cell.change(
          Ratio.withoutInterval(Double.NaN), Change.Verdict.NOT_COMPARED, absence(cell));
    }
    if (test.isEmpty()) {
      long n =
          Math.min(
              cell.baseline().orElseThrow().samples(), cell.candidate().orElseThrow().samples());
      return cell.change(
          ratio(cell),
          Change.Verdict.UNDECIDED,
          n < Estimate.FEWEST
              ? "n=%d: it takes %d repetitions to tell a change from noise"
                  .formatted(n, Estimate.FEWEST)
              : "values that are not positive have no interval");
    }
    ChangeTests.Tested found = test.get();
    Ratio ratio = found.test().ratio(found.level());
    return cell.change(
        ratio,
        verdict(cell.metric(), ratio, found.significant(), tolerance),
        found.test().detectable(found.level(), PairVerdict.POWER),
        "");
  }

  private static Ratio ratio(Cell cell) {
    return Ratio.withoutInterval(
        cell.candidate().map(Estimate::value).orElse(Double.NaN)
            / cell.baseline().map(Estimate::value).orElse(Double.NaN));
  }

  private static Change.Verdict verdict(
      Metric metric, Ratio ratio, boolean significant, double tolerance) {
    if (!significant) {
      return Change.Verdict.NONE;
    }
    if (Math.abs(ratio.value() - 1) <= tolerance) {
      return Change.Verdict.TOLERATED;
    }
    return (ratio.value() > 1) == (metric.direction() == Direction.HIGHER)
        ? Change.Verdict.IMPROVEMENT
        : Change.Verdict.REGRESSION;
  }

  /** What broke, said once for a phase: at its throughput. */
  private static Optional<String> broken(Cell cell) {
    if (!cell.metric().equals(Metrics.THROUGHPUT)
        || cell.group().operation().isPresent()
        || cell.baseline().isEmpty()
        || lost(cell.before(), cell.engine()).isPresent()) {
      return Optional.empty();
    }
    return lost(cell.now(), cell.engine());
  }

  private static Optional<String> lost(Optional<Ranking> ranking, String engine) {
    return ranking.flatMap(
        found ->
            found.excluded().stream()
                .filter(each -> each.engine().equals(engine) && each.absence().broken())
                .map(
                    each ->
                        "%d of %d runs %s %s"
                            .formatted(
                                each.repetitions(),
                                each.planned(),
                                each.absence().label(),
                                each.reason()))
                .findFirst());
  }

  private static String absence(Cell cell) {
    Optional<Ranking> ranking = cell.baseline().isEmpty() ? cell.before() : cell.now();
    String side = cell.baseline().isEmpty() ? "baseline" : "candidate";
    return ranking.stream()
        .flatMap(found -> found.excluded().stream())
        .filter(each -> each.engine().equals(cell.engine()))
        .map(each -> side + ": " + each.absence().label() + ": " + each.reason())
        .findFirst()
        .orElse("not in the " + side);
  }

  /**
   * Returns the changes of throughput that would have been found in four of five comparisons, as
   * factors above 1, the smallest first; of the phases as wholes.
   */
  public List<Double> detectable() {
    return changes.stream()
        .filter(change -> change.metric().equals(Metrics.THROUGHPUT))
        .filter(change -> change.group().operation().isEmpty())
        .map(Change::detectable)
        .filter(ratio -> !Double.isNaN(ratio))
        .sorted()
        .toList();
  }

  /** The cells of one verdict. */
  public List<Change> of(Change.Verdict verdict) {
    return changes.stream().filter(change -> change.verdict() == verdict).toList();
  }

  /** Whether anything is worse. */
  public boolean regressed() {
    return changes.stream().anyMatch(change -> change.verdict().bad());
  }

  /** Whether both have a value of any cell, or one of them broke. */
  public boolean comparable() {
    return changes.stream().anyMatch(each -> each.verdict() != Change.Verdict.NOT_COMPARED);
  }
}
