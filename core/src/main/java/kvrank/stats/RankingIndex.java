package kvrank.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.metric.Latency;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.workload.request.Operation;

/**
 * The rankings of some results and the records behind them, found by engine, phase and factor
 * point. Made once for all reports, and safe for several threads.
 */
public final class RankingIndex {

  /** An engine in a phase at a factor point; in all phases if that is empty. */
  private record Place(String engine, String phase, SortedMap<String, String> point) {}

  private final Merge merge;
  private final ExecutionResults results;
  private final List<String> engines;
  private final List<Ranking> rankings;
  private Optional<List<AcrossWorkloads>> across = Optional.empty();
  private final Map<Group, Map<Metric, Ranking>> byGroup = new LinkedHashMap<>();
  private final Map<Group, List<Group>> operations = new LinkedHashMap<>();
  private final Map<Place, List<RunRecord>> runs = new HashMap<>();
  private final Map<String, SortedMap<String, String>> options = new HashMap<>();
  private final Map<Place, List<PhaseRecord>> records = new HashMap<>();
  private final Map<Place, List<QualityFlag>> flags = new ConcurrentHashMap<>();
  private final Map<Place, Optional<DurabilitySummary>> durability = new ConcurrentHashMap<>();
  private final Set<String> loads = new HashSet<>(Set.of("load"));

  private RankingIndex(Merge merge) {
    this.merge = merge;
    this.results = merge.results();
    this.engines = results.engines();
    this.rankings = Rankings.of(results);
    for (Ranking ranking : rankings) {
      Group group = ranking.group();
      byGroup.computeIfAbsent(group, any -> new HashMap<>()).put(ranking.metric(), ranking);
    }
    for (Group group : byGroup.keySet()) {
      if (group.operation().isPresent()) {
        operations.computeIfAbsent(group.phaseGroup(), phaseGroup -> new ArrayList<>()).add(group);
      }
    }
    for (RunRecord run : results.runs()) {
      Place wholeRun = new Place(run.engine(), "", run.factors());
      runs.computeIfAbsent(wholeRun, any -> new ArrayList<>()).add(run);
      options.put(run.engine(), run.options());
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
    return new RankingIndex(new Merge(results, List.of()));
  }

  public static RankingIndex of(Merge merge) {
    return new RankingIndex(merge);
  }

  /** What of merged executions is kept apart, a sentence each. */
  public List<String> differences() {
    return merge.differences();
  }

  public ExecutionResults results() {
    return results;
  }

  /** Returns the comparisons across workloads, each made once. */
  public synchronized List<AcrossWorkloads> across() {
    if (across.isEmpty()) {
      across = Optional.of(AcrossWorkloads.of(rankings));
    }
    return across.get();
  }

  public List<Ranking> rankings() {
    return rankings;
  }

  public List<String> engines() {
    return engines;
  }

  /** The options of the engine that are factors of its row {@code engine}. */
  public SortedMap<String, String> options(String engine) {
    return options.getOrDefault(engine, Collections.emptySortedMap());
  }

  /** The names of all options that are factors of a row, sorted. */
  public SortedSet<String> options() {
    SortedSet<String> names = new TreeSet<>();
    options.values().forEach(row -> names.addAll(row.keySet()));
    return names;
  }

  /** Returns a group for each phase and factor point, in order. */
  public List<Group> phaseGroups() {
    return byGroup.keySet().stream()
        .filter(group -> group.operation().isEmpty() && !group.ofWholeRuns())
        .toList();
  }

  /** Returns the groups of phases by factor point, the points in order. */
  public Collection<List<Group>> phaseGroupsByPoint() {
    return phaseGroups().stream()
        .collect(Collectors.groupingBy(Group::factors, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** Returns the groups of phases by phase, the phases in order. */
  public Collection<List<Group>> phaseGroupsByPhase() {
    return phaseGroups().stream()
        .collect(Collectors.groupingBy(Group::phase, LinkedHashMap::new, Collectors.toList()))
        .values();
  }

  /** The operations of the phase of {@code group}, each as a group of its own. */
  public List<Group> operations(Group group) {
    return operations.getOrDefault(group.phaseGroup(), List.of());
  }

  /**
   * The ranking that a phase is judged by. Of one whose rate was given, not found, it is the p99 of
   * reads or, where none have one, of the operation with the most requests; fills follow from reads
   * and count from when they were sent, so it is never theirs. Of others, and where an engine has
   * too few requests for a p99, it is the throughput.
   */
  public Ranking decisive(Group phaseGroup) {
    Ranking throughput = throughput(phaseGroup);
    int engines = throughput.standings().size();
    return latencyAtRate(phaseGroup)
        .filter(ranking -> ranking.standings().size() == engines)
        .orElse(throughput);
  }

  private Optional<Ranking> latencyAtRate(Group phaseGroup) {
    boolean given =
        engines.stream()
            .flatMap(engine -> phases(phaseGroup, engine).stream())
            .anyMatch(phase -> phase.points().isEmpty() && phase.facts().has(Fact.RATE_ASKED));
    return given
        ? operations(phaseGroup).stream()
            .filter(group -> !is(Operation.FILL, group))
            .flatMap(group -> ranking(group, Metrics.LATENCY_P99).stream())
            .filter(ranking -> !ranking.standings().isEmpty())
            .max(
                Comparator.comparing((Ranking ranking) -> is(Operation.READ, ranking.group()))
                    .thenComparing(ranking -> requests(ranking.group())))
        : Optional.empty();
  }

  private static boolean is(Operation operation, Group group) {
    return group.operation().equals(Optional.of(operation.label()));
  }

  /** How many requests all engines together had of an operation. */
  private long requests(Group group) {
    return engines.stream()
        .flatMap(engine -> phases(group, engine).stream())
        .flatMap(
            phase -> Stream.ofNullable(phase.operations().get(group.operation().orElseThrow())))
        .flatMap(operation -> operation.latencyNanos().stream())
        .mapToLong(Latency::count)
        .sum();
  }

  public boolean load(Group group) {
    return loads.contains(group.phase());
  }

  /** What a search for the highest rate kept, for example {@code read p99 < 2ms}. */
  public Optional<String> searchBound(Group phaseGroup) {
    return engines.stream()
        .flatMap(engine -> records(phaseGroup, engine).stream())
        .flatMap(phase -> phase.facts().find(Fact.SEARCH_BOUND).stream())
        .findFirst();
  }

  /** The records of one engine in the phase of a group, whatever became of them. */
  public List<PhaseRecord> records(Group group, String engine) {
    return records.getOrDefault(place(group, engine), List.of());
  }

  private static Place place(Group group, String engine) {
    return new Place(engine, group.phase(), group.factors());
  }

  public List<RunRecord> runs(Group group, String engine) {
    return runs.getOrDefault(new Place(engine, "", group.factors()), List.of());
  }

  /** The completed repetitions of one engine in the phase of a group. */
  public List<PhaseRecord> phases(Group group, String engine) {
    return records(group, engine).stream()
        .filter(phase -> phase.outcome() instanceof Outcome.Completed)
        .toList();
  }

  /** What the repetitions of one engine say of its durability. */
  public Optional<DurabilitySummary> durability(Group group, String engine) {
    return durability.computeIfAbsent(
        place(group, engine), any -> DurabilitySummary.of(phases(group, engine)));
  }

  /** Whether flushes speak against the durability of an engine. */
  public boolean doubted(Group group, String engine) {
    return durability(group, engine).filter(DurabilitySummary::doubted).isPresent();
  }

  /** What makes the measurement of one engine mean less than it seems. */
  public List<QualityFlag> flags(Group group, String engine) {
    return flags.computeIfAbsent(
        place(group, engine), any -> QualityFlag.of(phases(group, engine)));
  }

  /** The ranking of the group, or its phase or runs; empty if no engine has a value. */
  public Optional<Ranking> ranking(Group group, Metric metric) {
    return Optional.ofNullable(byGroup.getOrDefault(group.forMetric(metric), Map.of()).get(metric));
  }

  /** The same; without standings if no engine has a value, and why. */
  public Ranking asked(Group group, Metric metric) {
    Optional<Ranking> ranking = ranking(group, metric);
    if (ranking.isPresent()) {
      return ranking.get();
    }
    List<Excluded> excluded =
        group.ofWholeRuns() ? List.of() : throughput(group.phaseGroup()).excluded();
    return Ranking.of(metric, group.forMetric(metric), new TreeMap<>(), excluded);
  }

  /** The ranking by throughput, which every group of a phase has. */
  public Ranking throughput(Group group) {
    return ranking(group, Metrics.THROUGHPUT).orElseThrow();
  }

  public Optional<Standing> standing(Group group, Metric metric, String engine) {
    return ranking(group, metric).flatMap(ranking -> ranking.standing(engine));
  }
}
