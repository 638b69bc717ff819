package kvrank.site.advice;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.Evidence;
import kvrank.results.ExecutionResults;
import kvrank.results.PhaseTexts;
import kvrank.results.RunRecord;
import kvrank.results.UnreadableException;
import kvrank.site.advice.Contest.Role;
import kvrank.stats.Disturbance;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.ResourceRanking;
import kvrank.workload.request.Operation;

/**
 * One scenario on one machine: its executions, merged as {@code kvrank report} merges them, so that
 * site and report have the same rankings.
 *
 * @param leftOut the executions that would spoil quiet ones, and are not merged
 * @param disturbed whether others disturbed most runs of each other execution
 * @param kinds of the engines
 * @param work what the newest execution says about the work of each phase
 */
public record Study(
    Machine machine,
    String scenario,
    RankingIndex index,
    Scale scale,
    List<Disturbance> leftOut,
    boolean disturbed,
    Map<String, Kind> kinds,
    Map<String, String> work) {

  /**
   * What the pages rank. A report ranks five times as many, which many executions have no room for.
   */
  private static final List<Metric> METRICS =
      List.of(
          Metrics.THROUGHPUT,
          Metrics.LATENCY_P99,
          Metrics.HIT_RATIO,
          Metrics.DATA_MEMORY,
          Metrics.MEMORY,
          Metrics.FOOTPRINT,
          Metrics.ERRORS);

  /**
   * Returns the studies by scenario and machine.
   *
   * @param baselines the baselines of this kvrank, for runs that do not say it
   */
  public static List<Study> of(
      Map<Machine, List<ExecutionResults>> machines, Predicate<String> baselines) {
    return machines.entrySet().stream()
        .flatMap(
            each ->
                each.getValue().stream()
                    .collect(
                        Collectors.groupingBy(
                            execution -> execution.manifest().scenario(),
                            TreeMap::new,
                            Collectors.toList()))
                    .entrySet()
                    .stream()
                    .map(scenario -> Map.entry(each.getKey(), scenario)))
        .toList()
        .parallelStream()
        .map(
            each ->
                of(each.getKey(), each.getValue().getKey(), each.getValue().getValue(), baselines))
        .sorted(
            Comparator.comparing(Study::scenario).thenComparing(study -> study.machine().label()))
        .toList();
  }

  private static Study of(
      Machine machine,
      String scenario,
      List<ExecutionResults> executions,
      Predicate<String> baselines) {
    List<Disturbance> leftOut = Disturbance.among(executions, true);
    List<ExecutionResults> quiet = new ArrayList<>(executions);
    leftOut.forEach(each -> quiet.remove(each.execution()));
    RankingIndex index = RankingIndex.of(Merge.of(quiet), metrics(quiet));
    boolean disturbed = quiet.stream().map(Disturbance::of).allMatch(Disturbance::mostly);
    List<RunRecord> runs = index.results().runs();
    return new Study(
        machine,
        scenario,
        index,
        Scale.of(runs),
        leftOut,
        disturbed,
        Kind.of(runs, baselines),
        work(quiet));
  }

  private static Map<String, String> work(List<ExecutionResults> executions) {
    try {
      return PhaseTexts.of(Evidence.of(executions.get(executions.size() - 1)).scenario());
    } catch (UnreadableException e) {
      return Map.of(); // the comparison then has no such text
    }
  }

  /** Returns the metrics of the pages, and those of the requirements. */
  private static Set<Metric> metrics(List<ExecutionResults> executions) {
    Set<Metric> metrics = new LinkedHashSet<>(METRICS);
    for (ExecutionResults each : executions) {
      each.manifest().expectations().forEach(bound -> metrics.add(bound.metric()));
      each.manifest().prefer().ifPresent(prefer -> metrics.add(prefer.metric()));
    }
    return metrics;
  }

  public Kind kind(String engine) {
    return kinds.getOrDefault(engine, Kind.UNKNOWN);
  }

  /** Returns sentences about executions that are left out, disturbed or kept apart. */
  public List<Claim> notes() {
    List<String> notes = new ArrayList<>();
    if (!leftOut.isEmpty()) {
      notes.add("left out: " + Disturbance.sentence(leftOut, true));
    }
    notes.addAll(index.differences());
    return notes.stream().map(each -> Claim.of(scenario + ": " + each + ".")).toList();
  }

  public String file() {
    // No file name has two dashes, so that no other pair gives the same.
    return Links.file(scenario) + "--" + Links.file(machine.label());
  }

  public List<ExecutionResults> executions() {
    return index.results().executions();
  }

  /** Returns the address of the runs of an engine, from a page in a folder. */
  public String runs(Group group, String engine) {
    return "../runs/%s.html#%s".formatted(file(), Links.runs(index, group, engine));
  }

  /** Returns the address of the crashes of an engine, from a page in a folder. */
  public String crashes(Group group, String engine) {
    return "../runs/%s.html#%s".formatted(file(), Links.crashes(index, group, engine));
  }

  /** Returns the contests of its phases, then those of memory and storage. */
  public List<Contest> contests() {
    List<Contest> contests = new ArrayList<>();
    for (Group group : index.phaseGroups()) {
      UseCase use = UseCase.of(index, group);
      for (Ranking ranking : deciding(group)) {
        contests.add(new Contest(this, use, group, ranking, Role.RECOMMENDS));
      }
      if (use == UseCase.CACHE) {
        index
            .ranking(group, Metrics.HIT_RATIO)
            .ifPresent(it -> contests.add(new Contest(this, use, group, it, Role.QUALIFIES)));
      }
    }
    for (List<Group> point : index.phaseGroupsByPoint()) {
      ResourceRanking.memories(index, point)
          .forEach(it -> contests.add(Contest.of(this, UseCase.MEMORY, it)));
      ResourceRanking.storage(index, point)
          .ifPresent(it -> contests.add(Contest.of(this, UseCase.FOOTPRINT, it)));
    }
    contests.removeIf(contest -> contest.ranking().standings().isEmpty());
    return contests;
  }

  /**
   * Returns the rankings that recommend. Groups of threads that run as fast as they can have one
   * each, of the operation that they do most: the sum of their throughput would hide slow writes
   * behind fast reads.
   */
  private List<Ranking> deciding(Group group) {
    Ranking decisive = index.decisive(group);
    if (!decisive.metric().equals(Metrics.THROUGHPUT)) {
      return List.of(decisive);
    }
    Map<String, Ranking> most = new LinkedHashMap<>();
    for (String label : counted(group)) {
      most.merge(
          Operation.group(label),
          index.throughput(group.forOperation(label)),
          (one, other) -> total(other) > total(one) ? other : one);
    }
    return most.size() > 1 ? List.copyOf(most.values()) : List.of(decisive);
  }

  /** Returns the operations of groups of threads, for example {@code readers:read}. */
  public List<String> threads(Group group) {
    return counted(group).stream().filter(label -> !Operation.group(label).isEmpty()).toList();
  }

  /** Returns the operations that the throughput of a phase counts. */
  private List<String> counted(Group group) {
    List<String> labels =
        index.operations(group).stream().flatMap(each -> each.operation().stream()).toList();
    return labels.stream().filter(each -> !Operation.withinTransaction(each, labels)).toList();
  }

  private static double total(Ranking ranking) {
    return ranking.standings().stream().mapToDouble(each -> each.estimate().value()).sum();
  }
}
