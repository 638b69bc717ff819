package kvrank.stats;

import static java.util.Comparator.naturalOrder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.RankingFamilies.Tests;
import kvrank.stats.RankingFamilies.Values;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.RepetitionBlock;
import kvrank.workload.request.Operation;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** Computes the rankings of results. */
public final class Rankings {

  private final ExecutionResults results;
  private final List<String> engines;
  private final SortedSet<String> varying;
  private final List<SampleCollector.Execution> executions;
  private final Map<String, SampleCollector.Executions> byPhase = new ConcurrentHashMap<>();
  private final Tests tests;

  private Rankings(ExecutionResults results, Tests tests) {
    this.results = results;
    this.tests = tests;
    this.engines = results.engines();
    this.varying = varying(results);
    this.executions = results.executions().stream().map(SampleCollector.Execution::of).toList();
  }

  /**
   * Returns every ranking that has a value, ordered by the manifest's phases, factor points,
   * operation (the whole phase first) and metric; then those of whole runs. The throughput of a
   * phase is included even without any value, so that no engine vanishes.
   */
  public static List<Ranking> of(ExecutionResults results) {
    return of(results, Tests.of(results), any -> true);
  }

  /** Returns those of the metrics that are {@code kept}, which are as if all were. */
  static List<Ranking> of(ExecutionResults results, Tests tests, Predicate<Metric> kept) {
    Rankings rankings = new Rankings(results, tests);
    List<Group> phaseGroups = rankings.phaseGroups();
    List<Values> sorted = new ArrayList<>();
    phaseGroups.parallelStream()
        .map(group -> rankings.of(group.phase(), group.factors()))
        .toList()
        .forEach(sorted::addAll);
    rankings.points().parallelStream()
        .map(point -> rankings.of(Group.forWholeRuns(point, rankings.varying)))
        .toList()
        .forEach(sorted::addAll);
    Map<Group, Map<Metric, Values>> byGroup = new HashMap<>();
    sorted.forEach(
        values ->
            byGroup
                .computeIfAbsent(values.group(), any -> new HashMap<>())
                .put(values.metric(), values));
    Set<List<Object>> deciding = new HashSet<>();
    for (Group phaseGroup : phaseGroups) {
      values(byGroup, phaseGroup, Metrics.THROUGHPUT)
          .flatMap(
              throughput ->
                  rankings.decides(
                      throughput, group -> values(byGroup, group, Metrics.LATENCY_P99)))
          .ifPresent(values -> deciding.add(values.key()));
    }
    return RankingFamilies.compared(
        tests,
        sorted,
        values -> deciding.contains(values.key()),
        values -> kept.test(values.metric()));
  }

  private static Optional<Values> values(
      Map<Group, Map<Metric, Values>> byGroup, Group group, Metric metric) {
    return Optional.ofNullable(byGroup.getOrDefault(group, Map.of()).get(metric));
  }

  /**
   * Returns the ranking that decides each phase except the load, at every factor point, as far as
   * one does.
   */
  static List<Ranking> deciding(ExecutionResults results) {
    return new Rankings(results, Tests.of(results)).withoutLoads();
  }

  /** Returns the same without tests: engines are in the order of their values. */
  static List<Ranking> untested(ExecutionResults results) {
    return withoutTests(results).withoutLoads();
  }

  /**
   * Returns the noise of earlier results: the median, over engines and phases without the load, of
   * the standard deviations of the deciding metric's logarithm. NaN with fewer than three
   * repetitions.
   */
  public static double noise(ExecutionResults earlier) {
    double[] deviations =
        untested(earlier).stream()
            .flatMap(ranking -> ranking.standings().stream())
            .map(standing -> standing.estimate().values().stream().mapToDouble(Math::log).toArray())
            .filter(logs -> logs.length >= Estimate.FEWEST)
            .mapToDouble(logs -> Math.sqrt(StatUtils.variance(logs)))
            .toArray();
    return new Median().evaluate(deviations);
  }

  /**
   * Returns the ranking that decides each phase at every factor point, without tests; if none does,
   * the p99 without any value, which has the reasons.
   */
  public static List<Ranking> decidingValues(ExecutionResults results) {
    Rankings rankings = withoutTests(results);
    return RankingFamilies.deciding(
        rankings.tests,
        rankings.phaseGroups().stream()
            .map(phaseGroup -> rankings.decides(phaseGroup).orElse(rankings.asked(phaseGroup)))
            .toList());
  }

  private Values asked(Group phaseGroup) {
    List<PhaseRecord> completed = completed(records(phaseGroup));
    return values(DecidingMetric.asked(completed, phaseGroup), Metrics.LATENCY_P99);
  }

  /** Returns the runs of each engine in each phase at every factor point. */
  static Map<Group, Map<String, List<Counted>>> counted(ExecutionResults results) {
    Rankings rankings = withoutTests(results);
    Map<Group, Map<String, List<Counted>>> counted = new HashMap<>();
    for (Group phaseGroup : rankings.phaseGroups()) {
      Map<String, List<Counted>> engines = new HashMap<>();
      rankings.collectors(phaseGroup).forEach(each -> engines.put(each.engine(), each.counted()));
      counted.put(phaseGroup, engines);
    }
    return counted;
  }

  private static Rankings withoutTests(ExecutionResults results) {
    return new Rankings(results, Tests.none());
  }

  /** Compares the tables that decide, with those of loads, as these share the error. */
  private List<Ranking> deciding() {
    List<Values> deciding =
        phaseGroups().stream().flatMap(phaseGroup -> decides(phaseGroup).stream()).toList();
    return RankingFamilies.deciding(tests, deciding);
  }

  private List<Ranking> withoutLoads() {
    return deciding().stream()
        .filter(ranking -> records(ranking.group()).stream().noneMatch(PhaseRecord::load))
        .toList();
  }

  private Optional<Values> decides(Group phaseGroup) {
    return decides(
        values(phaseGroup, Metrics.THROUGHPUT),
        group -> Optional.of(values(group, Metrics.LATENCY_P99)));
  }

  /** Returns the values that decide the phase of {@code throughput}; empty if none do. */
  private Optional<Values> decides(Values throughput, Function<Group, Optional<Values>> latency) {
    return DecidingMetric.choose(
        completed(records(throughput.group())),
        throughput,
        name -> latency.apply(throughput.group().forOperation(name)),
        values -> values.samples().size());
  }

  private List<PhaseRecord> records(Group group) {
    return records(group.phase(), group.factors());
  }

  private List<Group> phaseGroups() {
    List<SortedMap<String, String>> points = points();
    return phases().stream()
        .flatMap(phase -> points.stream().map(point -> phaseGroup(phase, point)))
        .toList();
  }

  private static List<PhaseRecord> completed(List<PhaseRecord> records) {
    return records.stream()
        .filter(record -> record.outcome() instanceof Outcome.Completed)
        .toList();
  }

  private List<PhaseRecord> records(String phase, SortedMap<String, String> point) {
    return executions(phase).at(point).stream()
        .flatMap(each -> each.execution().at(point).values().stream())
        .flatMap(List::stream)
        .flatMap(run -> SampleCollector.phase(run, phase).stream())
        .toList();
  }

  private static SortedSet<String> varying(ExecutionResults results) {
    SortedMap<String, Set<String>> values = new TreeMap<>();
    results
        .manifest()
        .factors()
        .forEach((factor, listed) -> values.put(factor, new HashSet<>(listed)));
    results.runs().stream()
        .flatMap(run -> run.factors().entrySet().stream())
        .forEach(
            factor ->
                values
                    .computeIfAbsent(factor.getKey(), name -> new HashSet<>())
                    .add(factor.getValue()));
    values.values().removeIf(distinct -> distinct.size() < 2);
    return new TreeSet<>(values.keySet());
  }

  private List<String> phases() {
    Set<String> names = new LinkedHashSet<>(results.manifest().phases());
    results.runs().stream()
        .flatMap(run -> run.phases().stream())
        .map(PhaseRecord::name)
        .sorted()
        .forEach(names::add);
    return List.copyOf(names);
  }

  /** Returns the factor points of the records, in the manifest's order; unknown ones last. */
  private List<SortedMap<String, String>> points() {
    Stream<SortedMap<String, String>> points =
        results.runs().stream().map(RunRecord::factors).distinct();
    return varying.stream()
        .map(this::by)
        .reduce(Comparator::thenComparing)
        .map(points::sorted)
        .orElse(points)
        .toList();
  }

  private Comparator<SortedMap<String, String>> by(String factor) {
    List<String> values = results.manifest().factors().getOrDefault(factor, List.of());
    Function<SortedMap<String, String>, String> value = point -> point.getOrDefault(factor, "");
    return Comparator.comparing(value.andThen(text -> values.indexOf(text) & Integer.MAX_VALUE))
        .thenComparing(value);
  }

  private Group phaseGroup(String phase, SortedMap<String, String> point) {
    String workload =
        records(phase, point).stream().map(PhaseRecord::workload).min(naturalOrder()).orElse(phase);
    return new Group(phase, workload, Optional.empty(), point, varying);
  }

  private List<Values> of(String phase, SortedMap<String, String> point) {
    SortedSet<String> operations = new TreeSet<>();
    completed(records(phase, point))
        .forEach(record -> operations.addAll(record.operations().keySet()));
    Group phaseGroup = phaseGroup(phase, point);
    List<Values> all = new ArrayList<>(of(phaseGroup));
    operations.stream()
        .sorted(Comparator.comparing(name -> Operation.withinTransaction(name, operations)))
        .forEach(operation -> all.addAll(of(phaseGroup.forOperation(operation))));
    return all;
  }

  /** Returns the executions that have the phase; all if it is empty, for whole runs. */
  private SampleCollector.Executions executions(String phase) {
    return byPhase.computeIfAbsent(
        phase,
        any ->
            SampleCollector.Executions.of(
                executions.stream()
                    .filter(each -> phase.isEmpty() || each.phases().contains(phase))
                    .toList()));
  }

  private List<Values> of(Group group) {
    List<SampleCollector> collectors = collectors(group);
    List<Values> all = new ArrayList<>();
    for (Metric metric : Metrics.ALL) {
      if (group.has(metric)) {
        Values values = values(group, metric, collectors);
        boolean always = metric.equals(Metrics.THROUGHPUT) && group.operation().isEmpty();
        if (always ? !executions(group.phase()).all().isEmpty() : !values.samples().isEmpty()) {
          all.add(values);
        }
      }
    }
    return all;
  }

  private List<SampleCollector> collectors(Group group) {
    SampleCollector.Executions parts = executions(group.phase());
    List<SampleCollector> collectors =
        engines.stream().map(engine -> new SampleCollector(engine, group, parts)).toList();
    SampleCollector.leaveOutDisturbed(collectors);
    return collectors;
  }

  private Values values(Group group, Metric metric) {
    return values(group, metric, collectors(group));
  }

  private Values values(Group group, Metric metric, List<SampleCollector> collectors) {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> values = new TreeMap<>();
    List<Excluded> excluded = new ArrayList<>();
    for (SampleCollector collector : collectors) {
      SortedMap<RepetitionBlock, Double> measured = collector.values(metric);
      if (!measured.isEmpty()) {
        values.put(collector.engine(), measured);
      }
      excluded.addAll(collector.excluded(metric, measured.size()));
    }
    return new Values(
        metric, group, Ranking.samples(values), Ranking.table(metric, values), excluded);
  }
}
