package kvrank.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/** The rankings of one results directory. */
public final class Rankings {

  private static final Outcome NOT_REACHED =
      new Outcome.Failed("", "the record does not have this phase");

  private final Results results;
  private final List<String> engines;
  private final SortedSet<String> varying;

  private Rankings(Results results) {
    this.results = results;
    this.engines = engines(results);
    this.varying = varying(results);
  }

  /**
   * Every metric of every comparison group that has a value, in the order of the manifest's phases,
   * its factor points, the phase as a whole before its operations, and the metrics. The throughput
   * of a phase is there even if no engine has one, so that no engine vanishes.
   */
  public static List<Ranking> of(Results results) {
    Rankings rankings = new Rankings(results);
    List<Ranking> all = new ArrayList<>();
    for (String phase : rankings.phases()) {
      for (SortedMap<String, String> point : rankings.points()) {
        all.addAll(rankings.of(phase, point));
      }
    }
    return List.copyOf(all);
  }

  /** The labels of all engines: the manifest's, then those that only the records know. */
  public static List<String> engines(Results results) {
    Set<String> engines = new LinkedHashSet<>(results.manifest().engines());
    results.runs().stream().map(RunRecord::engine).sorted().forEach(engines::add);
    return List.copyOf(engines);
  }

  private static SortedSet<String> varying(Results results) {
    SortedMap<String, Set<String>> values = new TreeMap<>();
    results
        .manifest()
        .factors()
        .forEach((factor, listed) -> values.put(factor, new TreeSet<>(listed)));
    for (RunRecord run : results.runs()) {
      run.factors()
          .forEach(
              (factor, value) -> values.computeIfAbsent(factor, f -> new TreeSet<>()).add(value));
    }
    values.values().removeIf(distinct -> distinct.size() < 2);
    return new TreeSet<>(values.keySet());
  }

  private List<String> phases() {
    Set<String> phases = new LinkedHashSet<>(results.manifest().phases());
    results.runs().stream()
        .flatMap(run -> run.phases().stream())
        .map(PhaseRecord::name)
        .sorted()
        .forEach(phases::add);
    return List.copyOf(phases);
  }

  /** The factor points of the records, in the order of the manifest's values. */
  private List<SortedMap<String, String>> points() {
    return results.runs().stream()
        .map(RunRecord::factors)
        .distinct()
        .sorted(this::comparePoints)
        .toList();
  }

  private int comparePoints(SortedMap<String, String> first, SortedMap<String, String> second) {
    for (String factor : varying) {
      List<String> values = results.manifest().factors().getOrDefault(factor, List.of());
      String one = first.getOrDefault(factor, "");
      String other = second.getOrDefault(factor, "");
      int order =
          Comparator.<String>comparingInt(
                  value -> values.contains(value) ? values.indexOf(value) : values.size())
              .thenComparing(Comparator.naturalOrder())
              .compare(one, other);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private List<Ranking> of(String phase, SortedMap<String, String> point) {
    Map<String, List<RunRecord>> runs = new LinkedHashMap<>();
    for (String engine : engines) {
      runs.put(
          engine,
          results.runs().stream()
              .filter(run -> run.engine().equals(engine) && run.factors().equals(point))
              .sorted(Comparator.comparingInt(RunRecord::repetition).thenComparing(RunRecord::id))
              .toList());
    }
    List<PhaseRecord> records =
        runs.values().stream()
            .flatMap(List::stream)
            .flatMap(run -> phase(run, phase).stream())
            .toList();
    SortedSet<String> operations = new TreeSet<>();
    records.stream()
        .filter(record -> record.outcome() instanceof Outcome.Completed)
        .forEach(record -> operations.addAll(record.operations().keySet()));
    String workload = records.stream().map(PhaseRecord::workload).findFirst().orElse(phase);
    Group whole = new Group(phase, workload, Optional.empty(), point, varying);
    List<Ranking> rankings = new ArrayList<>(of(whole, runs));
    operations.forEach(operation -> rankings.addAll(of(whole.of(operation), runs)));
    return rankings;
  }

  private List<Ranking> of(Group group, Map<String, List<RunRecord>> runs) {
    List<Ranking> rankings = new ArrayList<>();
    for (Metric metric : Metric.ALL) {
      SortedMap<String, Estimate> estimates = new TreeMap<>();
      List<Excluded> excluded = new ArrayList<>();
      runs.forEach(
          (engine, repetitions) -> {
            Tally tally = new Tally(engine);
            repetitions.forEach(run -> tally.add(run, group, metric));
            tally.missing(results.manifest().repetitions());
            tally.estimate().ifPresent(estimate -> estimates.put(engine, estimate));
            excluded.addAll(tally.excluded());
          });
      boolean always = metric.equals(Metric.THROUGHPUT) && group.operation().isEmpty();
      if (always || !estimates.isEmpty()) {
        rankings.add(Ranking.of(metric, group, estimates, excluded));
      }
    }
    return rankings;
  }

  private static Optional<PhaseRecord> phase(RunRecord run, String name) {
    return run.phases().stream().filter(phase -> phase.name().equals(name)).findFirst();
  }

  /** The repetitions of one engine in one ranking: values, and reasons where there is none. */
  private static final class Tally {

    private record Cause(String outcome, String reason) {}

    private final String engine;
    private final List<Double> values = new ArrayList<>();
    private final Map<Cause, Integer> causes = new LinkedHashMap<>();
    private int repetitions;
    private boolean refused;

    Tally(String engine) {
      this.engine = engine;
    }

    void add(RunRecord run, Group group, Metric metric) {
      repetitions++;
      refused |=
          run.outcome() instanceof Outcome.Unavailable
              || run.outcome() instanceof Outcome.Unsupported;
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

    /** Counts repetitions without a record; an engine that was refused needs one record only. */
    void missing(int planned) {
      if (!refused && repetitions < planned) {
        int missing = planned - repetitions;
        causes.put(new Cause("missing", "no record"), missing);
        repetitions = planned;
      }
    }

    Optional<Estimate> estimate() {
      return values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values));
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
}
