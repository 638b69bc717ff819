package kvrank.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.PairwiseComparisons;

/**
 * The rankings of results and the records behind them, by engine, phase and factor point. All
 * reports share one index. Thread-safe.
 */
public final class RankingIndex {

  /** An engine in a phase (in all phases if empty) at a factor point. */
  private record Place(String engine, String phase, SortedMap<String, String> point) {}

  /** The name of the load, unless a scenario names it by what it does. */
  public static final String LOAD = "load";

  private final Merge merge;
  private final RankingFamilies.Tests tests;
  private final ExecutionResults results;
  private final Set<Metric> metrics;
  private final List<String> engines;
  private final List<Ranking> rankings;
  private Optional<List<AcrossWorkloads>> across = Optional.empty();
  private Optional<Map<Group, Map<String, List<Counted>>>> counted = Optional.empty();
  private final Map<Group, Map<Metric, Ranking>> byGroup = new LinkedHashMap<>();
  private final List<Group> phaseGroups;
  private final Map<Group, Integer> numbers = new HashMap<>();
  private final Map<SortedMap<String, String>, List<Group>> points;
  private final Map<SortedMap<String, String>, Integer> pointNumbers = new HashMap<>();
  private final Map<Group, List<Group>> operations = new LinkedHashMap<>();
  private final Map<Place, List<RunRecord>> runs = new HashMap<>();
  private final Map<String, SortedMap<String, String>> options = new HashMap<>();
  private final Map<Place, List<PhaseRecord>> records = new HashMap<>();
  private final Map<Place, List<QualityFlag>> flags = new ConcurrentHashMap<>();
  private final Map<Group, Ranking> decisive = new ConcurrentHashMap<>();
  private final Map<Place, Optional<DurabilitySummary>> durability = new ConcurrentHashMap<>();
  private final Set<String> loads = new HashSet<>(Set.of(LOAD));
  private final Set<Boolean> crashed = new HashSet<>();

  private RankingIndex(Merge merge, RankingFamilies.Tests tests, Collection<Metric> metrics) {
    this.merge = merge;
    this.tests = tests;
    this.results = merge.results();
    this.metrics = Set.copyOf(metrics);
    this.engines = results.engines();
    this.rankings = Rankings.of(results, tests, this.metrics::contains);
    for (Ranking ranking : rankings) {
      Group group = ranking.group();
      byGroup.computeIfAbsent(group, any -> new HashMap<>()).put(ranking.metric(), ranking);
    }
    this.phaseGroups =
        byGroup.keySet().stream()
            .filter(group -> group.operation().isEmpty() && !group.ofWholeRuns())
            .toList();
    phaseGroups.forEach(group -> numbers.put(group, numbers.size()));
    this.points =
        phaseGroups.stream()
            .collect(
                Collectors.groupingBy(Group::factors, LinkedHashMap::new, Collectors.toList()));
    points.keySet().forEach(point -> pointNumbers.put(point, pointNumbers.size()));
    for (Group group : byGroup.keySet()) {
      if (group.operation().isPresent()) {
        operations.computeIfAbsent(group.phaseGroup(), phaseGroup -> new ArrayList<>()).add(group);
      }
    }
    for (RunRecord run : results.runs()) {
      Place wholeRun = new Place(run.engine(), "", run.factors());
      runs.computeIfAbsent(wholeRun, any -> new ArrayList<>()).add(run);
      options.put(run.engine(), run.options());
      run.crashTest().ifPresent(test -> crashed.add(test.powerCut()));
      for (PhaseRecord phase : run.phases()) {
        Place place = new Place(run.engine(), phase.name(), run.factors());
        records.computeIfAbsent(place, any -> new ArrayList<>()).add(phase);
        if (phase.load()) {
          loads.add(phase.name());
        }
      }
    }
  }

  public static RankingIndex of(ExecutionResults results) {
    return of(new Merge(results, List.of()));
  }

  public static RankingIndex of(Merge merge) {
    return of(merge, Metrics.ALL);
  }

  /**
   * Returns the index of only these metrics, whose rankings are as if it had all. It needs
   * throughput and the p99, by which phases are judged.
   */
  public static RankingIndex of(Merge merge, Collection<Metric> metrics) {
    return new RankingIndex(merge, RankingFamilies.Tests.of(merge.results()), metrics);
  }

  /** Returns the index of rankings without tests: engines are in the order of their values. */
  public static RankingIndex untested(ExecutionResults results) {
    return new RankingIndex(
        new Merge(results, List.of()), RankingFamilies.Tests.none(), Metrics.ALL);
  }

  public List<String> differences() {
    return merge.differences();
  }

  public ExecutionResults results() {
    return results;
  }

  /**
   * Returns the comparisons across two workloads or more, which are computed once. One workload has
   * the verdicts of its rankings. Loads do not count.
   */
  public synchronized List<AcrossWorkloads> across() {
    if (across.isEmpty()) {
      List<Ranking> deciding =
          phaseGroups().stream().filter(group -> !load(group)).map(this::decisive).toList();
      across =
          Optional.of(
              AcrossWorkloads.of(deciding, tests).stream()
                  .filter(each -> each.workloads().size() > 1)
                  .toList());
    }
    return across.get();
  }

  /** Compares the rows of other tables of these results; the tables share an error of their own. */
  public List<PairwiseComparisons> compared(List<BlockTable> tables) {
    return tests.of(tables, PairwiseComparisons.TABLES);
  }

  public List<Ranking> rankings() {
    return rankings;
  }

  public List<String> engines() {
    return engines;
  }

  /** Returns the options that are factors of the row {@code engine}. */
  public SortedMap<String, String> options(String engine) {
    return options.getOrDefault(engine, Collections.emptySortedMap());
  }

  /** Returns the names of all options that are factors. */
  public SortedSet<String> options() {
    SortedSet<String> names = new TreeSet<>();
    options.values().forEach(row -> names.addAll(row.keySet()));
    return names;
  }

  /** Returns one group per phase and factor point, in order. */
  public List<Group> phaseGroups() {
    return phaseGroups;
  }

  /** Returns the groups of phases by factor point, the points in order. */
  public Collection<List<Group>> phaseGroupsByPoint() {
    return Collections.unmodifiableCollection(points.values());
  }

  /** Returns the place of the phase of {@code group} among {@link #phaseGroups}, from 0. */
  public int number(Group group) {
    return numbers.get(group.phaseGroup());
  }

  /** Returns the place of the factor point of {@code group} in {@link #phaseGroupsByPoint}. */
  public int pointNumber(Group group) {
    return pointNumbers.get(group.factors());
  }

  /** Returns the groups of phases by phase, the phases in order. */
  public Collection<List<Group>> phaseGroupsByPhase() {
    return phaseGroups().stream()
        .collect(Collectors.groupingBy(Group::phase, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** Returns one group per operation of the phase of {@code group}. */
  public List<Group> operations(Group group) {
    return operations.getOrDefault(group.phaseGroup(), List.of());
  }

  /** Returns the operation whose p99 matters most: that of reads, else of the most requests. */
  public Optional<Group> foremost(Group phaseGroup) {
    return DecidingMetric.operations(completed(phaseGroup)).stream()
        .map(phaseGroup::forOperation)
        .filter(operation -> ranking(operation, Metrics.LATENCY_P99).isPresent())
        .findFirst();
  }

  /**
   * Returns the ranking that a phase is judged by ({@link DecidingMetric}). Without enough requests
   * at a given rate, it has only the reasons.
   */
  public Ranking decisive(Group phaseGroup) {
    return decisive.computeIfAbsent(phaseGroup, this::decided);
  }

  private Ranking decided(Group phaseGroup) {
    return DecidingMetric.choose(
            completed(phaseGroup),
            throughput(phaseGroup),
            name -> ranking(phaseGroup.forOperation(name), Metrics.LATENCY_P99),
            ranking -> ranking.standings().size())
        .orElseGet(
            () ->
                rankingOrEmpty(
                    DecidingMetric.asked(completed(phaseGroup), phaseGroup), Metrics.LATENCY_P99));
  }

  /** Returns the ranking that decides or, where none does, the throughput that was measured. */
  public Ranking shown(Group phaseGroup) {
    Ranking decisive = decisive(phaseGroup);
    return decisive.standings().isEmpty() ? throughput(phaseGroup) : decisive;
  }

  /** Returns the ranking of an operation: by throughput, or by p99 latency at a given rate. */
  public Ranking ofOperation(Group operation) {
    return rateGiven(operation)
        ? rankingOrEmpty(operation, Metrics.LATENCY_P99)
        : throughput(operation);
  }

  /** Returns the numbers of requests of {@code operation}, one for each completed repetition. */
  public List<Long> requests(Group operation) {
    String name = operation.operation().orElse("");
    return completed(operation).stream()
        .map(phase -> Optional.ofNullable(phase.operations().get(name)))
        .map(found -> found.flatMap(OperationRecord::latencyNanos).map(Latency::count).orElse(0L))
        .toList();
  }

  /** Returns whether the scenario gives the rate of requests, so that throughput is fixed. */
  public boolean rateGiven(Group group) {
    return DecidingMetric.rateGiven(completed(group));
  }

  private List<PhaseRecord> completed(Group group) {
    return engines.stream().flatMap(engine -> phases(group, engine).stream()).toList();
  }

  public boolean load(Group group) {
    return loads.contains(group.phase());
  }

  /** Returns the bound of a search for the highest rate, for example {@code read p99 < 2ms}. */
  public Optional<String> searchBound(Group phaseGroup) {
    return engines.stream()
        .flatMap(engine -> records(phaseGroup, engine).stream())
        .flatMap(phase -> phase.facts().find(Fact.SEARCH_BOUND).stream())
        .findFirst();
  }

  /** Returns the records of one engine in the phase of a group, whatever their outcome. */
  public List<PhaseRecord> records(Group group, String engine) {
    return records.getOrDefault(place(group, engine), List.of());
  }

  private static Place place(Group group, String engine) {
    return new Place(engine, group.phase(), group.factors());
  }

  public List<RunRecord> runs(Group group, String engine) {
    return runs.getOrDefault(new Place(engine, "", group.factors()), List.of());
  }

  /** Returns the completed ones of {@link #records}. */
  public List<PhaseRecord> phases(Group group, String engine) {
    return records(group, engine).stream()
        .filter(phase -> phase.outcome() instanceof Outcome.Completed)
        .toList();
  }

  /** Returns the runs of an engine in a phase, and whether its rankings rest on them. */
  public synchronized List<Counted> counted(Group group, String engine) {
    if (counted.isEmpty()) {
      counted = Optional.of(Rankings.counted(results));
    }
    return counted.get().getOrDefault(group.phaseGroup(), Map.of()).getOrDefault(engine, List.of());
  }

  public Optional<DurabilitySummary> durability(Group group, String engine) {
    return durability.computeIfAbsent(
        place(group, engine), any -> DurabilitySummary.of(phases(group, engine)));
  }

  /** Returns the levels of fsync that an engine had: the setting, or those that satisfy it. */
  public String level(Group group, String engine) {
    List<String> levels =
        runs(group, engine).stream()
            .flatMap(run -> run.facts().find(Fact.DURABILITY_LEVEL).stream())
            .distinct()
            .toList();
    return levels.isEmpty() ? group.fsync() : String.join(" and ", levels);
  }

  /** Returns whether engines were to be killed, or their power to be cut. */
  public boolean crashed(boolean powerCut) {
    return crashed.contains(powerCut);
  }

  /** Returns the losses of an engine when it was killed, or in power cuts. */
  public CrashLosses losses(Group group, String engine, boolean powerCut) {
    return CrashLosses.of(runs(group, engine), group.fsync(), powerCut);
  }

  /**
   * Returns whether the power of an engine, which promises flushes, was not cut, although others
   * were to be cut in these results.
   */
  public boolean notCut(Group group, String engine) {
    return group.promisesFlushes()
        && crashed(true)
        && losses(group, engine, true).crashes().isEmpty();
  }

  public boolean doubted(Group group, String engine) {
    return durability(group, engine)
        .filter(found -> found.doubted(group.promisesFlushes()))
        .isPresent();
  }

  public List<QualityFlag> flags(Group group, String engine) {
    return flags.computeIfAbsent(
        place(group, engine), any -> QualityFlag.of(phases(group, engine)));
  }

  /**
   * Returns the ranking of the group, its phase or its whole runs; empty without any value.
   *
   * @throws IllegalArgumentException if the index was made without this metric
   */
  public Optional<Ranking> ranking(Group group, Metric metric) {
    if (!metrics.contains(metric)) {
      throw new IllegalArgumentException("an index without " + metric.id());
    }
    return Optional.ofNullable(byGroup.getOrDefault(group.forMetric(metric), Map.of()).get(metric));
  }

  /** Returns the same; without any value, a ranking that has only the reasons. */
  public Ranking rankingOrEmpty(Group group, Metric metric) {
    Optional<Ranking> ranking = ranking(group, metric);
    if (ranking.isPresent()) {
      return ranking.get();
    }
    List<Excluded> excluded = new ArrayList<>();
    if (!group.ofWholeRuns()) {
      Ranking throughput = throughput(group.phaseGroup());
      excluded.addAll(throughput.excluded());
      throughput.standings().forEach(each -> excluded.add(withoutValue(group, metric, each)));
    }
    return Ranking.of(metric, group.forMetric(metric), new TreeMap<>(), excluded);
  }

  /** Returns the repetitions of {@code ranked}, which have a throughput, but not {@code metric}. */
  private Excluded withoutValue(Group group, Metric metric, Standing ranked) {
    List<Sample> samples = new ArrayList<>();
    for (RunRecord run : runs(group, ranked.engine())) {
      SampleCollector.phase(run, group.phase())
          .map(phase -> new Sample(run, phase, group.operation()))
          .ifPresent(samples::add);
    }
    int repetitions = (int) ranked.estimate().samples();
    SampleCollector.Cause cause = SampleCollector.absence(metric, samples);
    return new Excluded(ranked.engine(), cause.absence(), cause.reason(), repetitions, repetitions);
  }

  /** Returns the ranking by throughput, which every group of a phase has. */
  public Ranking throughput(Group group) {
    return ranking(group, Metrics.THROUGHPUT).orElseThrow();
  }

  public Optional<Standing> standing(Group group, Metric metric, String engine) {
    return ranking(group, metric).flatMap(ranking -> ranking.standing(engine));
  }
}
