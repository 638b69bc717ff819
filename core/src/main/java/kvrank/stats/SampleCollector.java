package kvrank.stats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Metric;
import kvrank.metric.Scope;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/** The repetitions of one engine in one comparison group, and reasons where one has no sample. */
final class SampleCollector {

  private static final Outcome NOT_REACHED =
      new Outcome.Failed("", "the record does not have this phase");

  /**
   * What one execution has at one factor point.
   *
   * @param runs its records at the point by engine
   */
  record Part(Results execution, Map<String, List<RunRecord>> runs) {

    /** How many repetitions of {@code engine} there should be; none if it was not asked of it. */
    int planned(String engine) {
      return !runs.isEmpty() && execution.manifest().engines().contains(engine)
          ? execution.manifest().repetitions()
          : 0;
    }
  }

  private record Cause(Absence absence, String reason) {}

  private final String engine;
  private final Group group;
  private final SortedMap<Block, Sample> samples = new TreeMap<>();
  private final Map<Cause, Integer> causes = new LinkedHashMap<>();
  private int repetitions;

  /**
   * Collects the records of {@code engine} in {@code group}, and what should be there and is not.
   */
  SampleCollector(String engine, Group group, List<Part> parts) {
    this.engine = engine;
    this.group = group;
    for (int execution = 0; execution < parts.size(); execution++) {
      add(execution, parts.get(execution));
    }
  }

  String engine() {
    return engine;
  }

  /** The phase of this name. */
  static Optional<PhaseRecord> phase(RunRecord run, String name) {
    return run.phases().stream().filter(phase -> phase.name().equals(name)).findFirst();
  }

  private void add(int execution, Part part) {
    List<RunRecord> runs = part.runs().getOrDefault(engine, List.of());
    runs.forEach(run -> add(new Block(execution, run.repetition()), run));
    repetitions += runs.size();
    int missing = part.planned(engine) - runs.size();
    // An engine that was refused needs one record only.
    if (missing > 0 && runs.stream().noneMatch(SampleCollector::refused)) {
      causes.merge(new Cause(Absence.MISSING, "no record"), missing, Integer::sum);
      repetitions += missing;
    }
  }

  private static boolean refused(RunRecord run) {
    return run.outcome() instanceof Outcome.Unavailable
        || run.outcome() instanceof Outcome.Unsupported;
  }

  private void add(Block block, RunRecord run) {
    Optional<PhaseRecord> phase =
        group.ofRun() ? run.phases().stream().findFirst() : phase(run, group.phase());
    Outcome outcome =
        group.ofRun()
            ? run.outcome()
            : phase.map(PhaseRecord::outcome).orElseGet(() -> whyNotReached(run));
    if (outcome instanceof Outcome.Completed && phase.isPresent()) {
      samples.put(block, new Sample(run, phase.get(), group.operation()));
    } else {
      causes.merge(new Cause(Absence.of(outcome), outcome.reason()), 1, Integer::sum);
    }
  }

  private static Outcome whyNotReached(RunRecord run) {
    return run.outcome() instanceof Outcome.Completed ? NOT_REACHED : run.outcome();
  }

  /**
   * The values of the repetitions that have one. A percentile that not every repetition supports
   * has none: medians over different repetitions would put p99.9 below p99.
   */
  SortedMap<Block, Double> values(Metric metric) {
    SortedMap<Block, Double> values = new TreeMap<>();
    samples.forEach(
        (block, sample) -> metric.value(sample).ifPresent(value -> values.put(block, value)));
    return metric.scope() == Scope.OPERATION && values.size() < occurred()
        ? new TreeMap<>()
        : values;
  }

  /** How many repetitions have a latency at all. */
  private long occurred() {
    return samples.values().stream().filter(sample -> sample.latency().isPresent()).count();
  }

  /** The repetitions that have no value. */
  List<Excluded> excluded(Metric metric) {
    Map<Cause, Integer> all = new LinkedHashMap<>(causes);
    int none = samples.size() - values(metric).size();
    if (none > 0) {
      all.put(new Cause(Absence.NO_VALUE, metric.absence()), none);
    }
    List<Excluded> excluded = new ArrayList<>();
    all.forEach(
        (cause, count) ->
            excluded.add(
                new Excluded(engine, cause.absence(), cause.reason(), count, repetitions)));
    return excluded;
  }
}
