package kvrank.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/** The repetitions of one engine in one ranking: values, and reasons where there is none. */
final class SampleCollector {

  private static final Outcome NOT_REACHED =
      new Outcome.Failed("", "the record does not have this phase");

  /**
   * What one execution has at one factor point.
   *
   * @param runs its records at the point
   */
  record Part(Results execution, List<RunRecord> runs) {

    static Part of(Results execution, SortedMap<String, String> point) {
      return new Part(
          execution,
          execution.runs().stream()
              .filter(run -> run.factors().equals(point))
              .sorted(Comparator.comparingInt(RunRecord::repetition).thenComparing(RunRecord::id))
              .toList());
    }

    /** How many repetitions of {@code engine} there should be; none if it was not asked of it. */
    int planned(String engine) {
      return !runs.isEmpty() && execution.manifest().engines().contains(engine)
          ? execution.manifest().repetitions()
          : 0;
    }
  }

  private record Cause(String outcome, String reason) {}

  private final String engine;
  private final Metric metric;
  private final Group group;
  private final List<Double> values = new ArrayList<>();
  private final Map<Cause, Integer> causes = new LinkedHashMap<>();
  private int repetitions;

  SampleCollector(String engine, Metric metric, Group group) {
    this.engine = engine;
    this.metric = metric;
    this.group = group;
  }

  /** The phase of this name. */
  static Optional<PhaseRecord> phase(RunRecord run, String name) {
    return run.phases().stream().filter(phase -> phase.name().equals(name)).findFirst();
  }

  /** Adds the engine's records of {@code part}, and those that should be there and are not. */
  void add(Part part) {
    List<RunRecord> runs = part.runs().stream().filter(run -> run.engine().equals(engine)).toList();
    runs.forEach(this::add);
    repetitions += runs.size();
    int missing = part.planned(engine) - runs.size();
    // An engine that was refused needs one record only.
    if (missing > 0 && runs.stream().noneMatch(SampleCollector::refused)) {
      causes.merge(new Cause("missing", "no record"), missing, Integer::sum);
      repetitions += missing;
    }
  }

  private static boolean refused(RunRecord run) {
    return run.outcome() instanceof Outcome.Unavailable
        || run.outcome() instanceof Outcome.Unsupported;
  }

  private void add(RunRecord run) {
    Optional<PhaseRecord> phase = phase(run, group.phase());
    Outcome outcome = phase.map(PhaseRecord::outcome).orElseGet(() -> whyNotReached(run));
    if (!(outcome instanceof Outcome.Completed)) {
      exclude(outcome.label(), outcome.reason());
      return;
    }
    OptionalDouble value =
        metric.value().apply(new Sample(run, phase.orElseThrow(), group.operation()));
    if (value.isPresent()) {
      values.add(value.getAsDouble());
    } else {
      exclude("no value", metric.absence());
    }
  }

  private static Outcome whyNotReached(RunRecord run) {
    return run.outcome() instanceof Outcome.Completed ? NOT_REACHED : run.outcome();
  }

  private void exclude(String outcome, String reason) {
    causes.merge(new Cause(outcome, reason), 1, Integer::sum);
  }

  Optional<Estimate> estimate() {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        metric.unit() == Unit.COUNT ? Estimate.ofCounts(values) : Estimate.of(values));
  }

  List<Excluded> excluded() {
    List<Excluded> excluded = new ArrayList<>();
    causes.forEach(
        (cause, count) ->
            excluded.add(
                new Excluded(engine, cause.outcome(), cause.reason(), count, repetitions)));
    return excluded;
  }
}
