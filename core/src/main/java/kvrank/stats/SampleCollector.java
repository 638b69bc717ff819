package kvrank.stats;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static kvrank.failure.Cause.HARNESS;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Metric;
import kvrank.metric.Scope;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.infer.RepetitionBlock;

/** The repetitions of one engine in one comparison group, and the reasons for missing ones. */
final class SampleCollector {

  private static final Outcome NOT_REACHED =
      new Outcome.Failed("", HARNESS, "the record does not have this phase");

  private static final String NO_LOG = "it has no log, and is ranked at fsync=none";

  /** An execution, the phases that it has, and its records by factor point and engine. */
  record Execution(
      ExecutionResults results,
      Set<String> phases,
      Map<SortedMap<String, String>, Map<String, List<RunRecord>>> runs,
      Map<String, List<RunRecord>> crashed) {

    static Execution of(ExecutionResults results) {
      Set<String> phases = new HashSet<>(results.manifest().phases());
      results.runs().forEach(run -> run.phases().forEach(phase -> phases.add(phase.name())));
      return new Execution(
          results,
          phases,
          results.runs().stream()
              .sorted(comparingInt(RunRecord::repetition).thenComparing(RunRecord::id))
              .collect(groupingBy(RunRecord::factors, groupingBy(RunRecord::engine))),
          results.runs().stream()
              .filter(run -> run.crashTest().isPresent())
              .collect(groupingBy(RunRecord::engine)));
    }

    Map<String, List<RunRecord>> at(SortedMap<String, String> point) {
      return runs.getOrDefault(point, Map.of());
    }
  }

  /** An execution, numbered among those that have its phases. */
  record Numbered(int number, Execution execution) {}

  /**
   * The executions that have a phase.
   *
   * @param all in their order
   * @param at those that have records at a factor point
   * @param crashed those with crash tests
   */
  record Executions(
      List<Execution> all,
      Map<SortedMap<String, String>, List<Numbered>> at,
      List<Execution> crashed) {

    static Executions of(List<Execution> all) {
      Map<SortedMap<String, String>, List<Numbered>> at = new HashMap<>();
      for (int i = 0; i < all.size(); i++) {
        Numbered each = new Numbered(i, all.get(i));
        all.get(i)
            .runs()
            .keySet()
            .forEach(point -> at.computeIfAbsent(point, any -> new ArrayList<>()).add(each));
      }
      return new Executions(
          all, at, all.stream().filter(each -> !each.crashed().isEmpty()).toList());
    }

    List<Numbered> at(SortedMap<String, String> point) {
      return at.getOrDefault(point, List.of());
    }
  }

  /** If every engine has this many runs that were not disturbed, the others are left out. */
  private static final int ENOUGH = 3;

  private static final Cause DISTURBED =
      new Cause(Absence.DISTURBED, "others used over 10 % of the machine, or a disk");

  /** At first, a wait that began in the warm-up did not count: one request was 98 k/s. */
  private static final Cause HARDLY_MEASURED =
      new Cause(
          Absence.NOT_MEASURABLE,
          "less than 1 % of its time was measured: a request of the warm-up lasted into it");

  record Cause(Absence absence, String reason) {}

  private final String engine;
  private final Group group;
  private final SortedMap<RepetitionBlock, Sample> samples = new TreeMap<>();
  private final Map<Cause, Integer> causes = new LinkedHashMap<>();
  private final List<RunRecord> all = new ArrayList<>();
  private final IdentityHashMap<RunRecord, Cause> leftOut = new IdentityHashMap<>();
  private int repetitions;

  SampleCollector(String engine, Group group, Executions executions) {
    this.engine = engine;
    this.group = group;
    executions.at(group.factors()).forEach(each -> add(each.number(), each.execution()));
    // What it loses at one point, it may lose at each with the same promise.
    List<RunRecord> crashed =
        executions.crashed().stream()
            .flatMap(each -> each.crashed().getOrDefault(engine, List.of()).stream())
            .filter(run -> group.fsync().equals(run.factors().getOrDefault(Group.FSYNC, "")))
            .toList();
    CrashLosses.disqualify(crashed, group.fsync())
        .filter(any -> !samples.isEmpty())
        .ifPresent(
            reason -> {
              Cause cause = new Cause(Absence.NOT_DURABLE, reason);
              causes.merge(cause, samples.size(), Integer::sum);
              samples.values().forEach(sample -> leftOut.put(sample.run(), cause));
              samples.clear();
            });
  }

  /**
   * Leaves out disturbed runs if they are at most a third of all and every engine that can be
   * tested has enough others. If each engine decided for itself, the quiet runs of one were
   * compared with the disturbed ones of the next. Only what others used decides, never a value.
   * Loads are too short to judge.
   */
  static void leaveOutDisturbed(List<SampleCollector> engines) {
    Map<SampleCollector, List<RepetitionBlock>> disturbed = new LinkedHashMap<>();
    engines.forEach(each -> disturbed.put(each, each.disturbed()));
    int runs = engines.stream().mapToInt(each -> each.samples.size()).sum();
    boolean few = 3 * disturbed.values().stream().mapToInt(List::size).sum() <= runs;
    boolean enough =
        engines.stream()
            .filter(each -> each.samples.size() >= ENOUGH)
            .allMatch(each -> each.samples.size() - disturbed.get(each).size() >= ENOUGH);
    if (few && enough) {
      disturbed.forEach(SampleCollector::leaveOut);
    }
  }

  private List<RepetitionBlock> disturbed() {
    return samples.entrySet().stream()
        .filter(sample -> Disturbance.in(sample.getValue().phase()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void leaveOut(List<RepetitionBlock> disturbed) {
    if (!disturbed.isEmpty() && samples.size() >= ENOUGH) {
      disturbed.forEach(block -> leftOut.put(samples.remove(block).run(), DISTURBED));
      causes.put(DISTURBED, disturbed.size());
    }
  }

  String engine() {
    return engine;
  }

  static Optional<PhaseRecord> phase(RunRecord run, String name) {
    return run.phases().stream().filter(phase -> phase.name().equals(name)).findFirst();
  }

  private void add(int number, Execution execution) {
    ExecutionResults results = execution.results();
    Map<String, List<RunRecord>> point = execution.at(group.factors());
    List<RunRecord> runs = point.getOrDefault(engine, List.of());
    if (runs.isEmpty()) {
      List<RunRecord> others = atOtherLevel(execution);
      if (!others.isEmpty() && others.get(0).outcome() instanceof Outcome.Unavailable) {
        runs = others;
      } else if (!others.isEmpty()) {
        if (!group.withoutLog()) {
          causes.merge(new Cause(Absence.UNSUPPORTED, NO_LOG), others.size(), Integer::sum);
          repetitions += others.size();
        }
        return;
      }
    }
    for (RunRecord run : runs) {
      add(new RepetitionBlock(number, run.repetition()), run);
    }
    repetitions += runs.size();
    boolean planned = results.manifest().engines().contains(engine);
    int missing = (planned ? results.manifest().guaranteedRepetitions() : 0) - runs.size();
    // An engine that is unavailable or unsupported needs only one record.
    if (missing > 0
        && runs.stream()
            .map(RunRecord::outcome)
            .noneMatch(o -> o instanceof Outcome.Unavailable || o instanceof Outcome.Unsupported)) {
      causes.merge(new Cause(Absence.MISSING, "no record"), missing, Integer::sum);
      repetitions += missing;
    }
  }

  /** Returns the records of an engine without a log at a point of the others, or the reverse. */
  private List<RunRecord> atOtherLevel(Execution execution) {
    SortedMap<String, String> other = new TreeMap<>(group.factors());
    other.put(Group.FSYNC, group.withoutLog() ? "off" : Group.NO_LOG);
    List<String> levels = execution.results().manifest().factors().get(Group.FSYNC);
    return levels == null || levels.contains(Group.NO_LOG)
        ? List.of()
        : execution.at(other).getOrDefault(engine, List.of());
  }

  private void add(RepetitionBlock block, RunRecord run) {
    Optional<PhaseRecord> phase =
        group.ofWholeRuns() ? run.phases().stream().findFirst() : phase(run, group.phase());
    Outcome outcome = run.outcome();
    if (!group.ofWholeRuns() && (phase.isPresent() || outcome instanceof Outcome.Completed)) {
      outcome = phase.map(PhaseRecord::outcome).orElse(NOT_REACHED);
    }
    all.add(run);
    if (!(outcome instanceof Outcome.Completed) || phase.isEmpty()) {
      leaveOut(run, new Cause(Absence.of(outcome), outcome.reason()));
    } else if (QualityFlag.hardlyMeasured(phase.get())) {
      leaveOut(run, HARDLY_MEASURED);
    } else {
      samples.put(block, new Sample(run, phase.get(), group.operation()));
    }
  }

  private void leaveOut(RunRecord run, Cause cause) {
    causes.merge(cause, 1, Integer::sum);
    leftOut.put(run, cause);
  }

  /** Returns every run, and whether it counts. */
  List<Counted> counted() {
    return all.stream()
        .map(
            run ->
                new Counted(
                    run,
                    Optional.ofNullable(leftOut.get(run))
                        .map(cause -> new Excluded(engine, cause.absence(), cause.reason(), 1, 1))))
        .toList();
  }

  /**
   * Returns the values of {@code metric}. A percentile that not every repetition supports has none:
   * medians over different repetitions would put p99.9 below p99.
   */
  SortedMap<RepetitionBlock, Double> values(Metric metric) {
    SortedMap<RepetitionBlock, Double> values = new TreeMap<>();
    samples.forEach(
        (block, sample) -> metric.value(sample).ifPresent(value -> values.put(block, value)));
    boolean partial =
        metric.scope() == Scope.OPERATION
            && values.size()
                < samples.values().stream().filter(s -> s.latency().isPresent()).count();
    return partial ? new TreeMap<>() : values;
  }

  /** Returns the cause for the first of {@code samples} without a value of {@code metric}. */
  static Cause absence(Metric metric, Collection<Sample> samples) {
    return samples.stream()
        .filter(sample -> metric.value(sample).isEmpty())
        .map(metric::absence)
        .findFirst()
        .map(
            none ->
                new Cause(
                    none.applies() ? Absence.NOT_MEASURABLE : Absence.NO_VALUE, none.reason()))
        .orElse(new Cause(Absence.NO_VALUE, metric.usualAbsence()));
  }

  /**
   * Returns the repetitions without a value of {@code metric}, of which {@code measured} have one.
   */
  List<Excluded> excluded(Metric metric, int measured) {
    Map<Cause, Integer> counts = new LinkedHashMap<>(causes);
    int none = samples.size() - measured;
    if (none > 0) {
      counts.put(absence(metric, samples.values()), none);
    }
    List<Excluded> excluded = new ArrayList<>();
    counts.forEach(
        (cause, count) ->
            excluded.add(
                new Excluded(engine, cause.absence(), cause.reason(), count, repetitions)));
    return excluded;
  }
}
