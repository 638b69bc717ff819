package kvrank.stats;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvrank.metric.Metric;
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
  private final List<Sample> samples = new ArrayList<>();
  private final Map<Cause, Integer> causes = new LinkedHashMap<>();
  private int repetitions;

  /**
   * Collects the records of {@code engine} in {@code group}, and what should be there and is not.
   */
  SampleCollector(String engine, Group group, List<Part> parts) {
    this.engine = engine;
    this.group = group;
    parts.forEach(this::add);
  }

  String engine() {
    return engine;
  }

  /** The phase of this name. */
  static Optional<PhaseRecord> phase(RunRecord run, String name) {
    return run.phases().stream().filter(phase -> phase.name().equals(name)).findFirst();
  }

  private void add(Part part) {
    List<RunRecord> runs = part.runs().getOrDefault(engine, List.of());
    runs.forEach(this::add);
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

  private void add(RunRecord run) {
    Optional<PhaseRecord> phase =
        group.ofRun() ? run.phases().stream().findFirst() : phase(run, group.phase());
    Outcome outcome =
        group.ofRun()
            ? run.outcome()
            : phase.map(PhaseRecord::outcome).orElseGet(() -> whyNotReached(run));
    if (outcome instanceof Outcome.Completed && phase.isPresent()) {
      samples.add(new Sample(run, phase.get(), group.operation()));
    } else {
      causes.merge(new Cause(Absence.of(outcome), outcome.reason()), 1, Integer::sum);
    }
  }

  private static Outcome whyNotReached(RunRecord run) {
    return run.outcome() instanceof Outcome.Completed ? NOT_REACHED : run.outcome();
  }

  /** The value of the repetitions that have one. */
  Optional<Estimate> estimate(Metric metric) {
    List<Double> values =
        samples.stream().flatMapToDouble(each -> metric.value(each).stream()).boxed().toList();
    if (values.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(metric.counted() ? Estimate.ofCounts(values) : Estimate.of(values));
  }

  /** The repetitions that have no value. */
  List<Excluded> excluded(Metric metric) {
    Map<Cause, Integer> all = new LinkedHashMap<>(causes);
    long none = samples.stream().filter(each -> metric.value(each).isEmpty()).count();
    if (none > 0) {
      all.put(new Cause(Absence.NO_VALUE, metric.absence()), (int) none);
    }
    List<Excluded> excluded = new ArrayList<>();
    all.forEach(
        (cause, count) ->
            excluded.add(
                new Excluded(engine, cause.absence(), cause.reason(), count, repetitions)));
    return excluded;
  }
}
