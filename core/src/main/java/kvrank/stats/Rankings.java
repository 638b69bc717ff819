package kvrank.stats;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.results.RunRecord;

/** The rankings of some results. */
public final class Rankings {

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

  /**
   * The ranking of {@code group} by {@code metric}, which need not be one of {@link Metric#ALL};
   * without standings if no engine has a value.
   */
  public static Ranking of(Results results, Group group, Metric metric) {
    Rankings rankings = new Rankings(results);
    return rankings.ranking(group, metric, rankings.parts(group.phase(), group.factors()));
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
    List<SampleCollector.Part> parts = parts(phase, point);
    List<PhaseRecord> records =
        parts.stream()
            .flatMap(part -> part.runs().stream())
            .flatMap(run -> SampleCollector.phase(run, phase).stream())
            .toList();
    SortedSet<String> operations = new TreeSet<>();
    records.stream()
        .filter(record -> record.outcome() instanceof Outcome.Completed)
        .forEach(record -> operations.addAll(record.operations().keySet()));
    String workload =
        records.stream().map(PhaseRecord::workload).distinct().sorted().findFirst().orElse(phase);
    Group whole = new Group(phase, workload, Optional.empty(), point, varying);
    List<Ranking> rankings = new ArrayList<>(of(whole, parts));
    operations.forEach(operation -> rankings.addAll(of(whole.of(operation), parts)));
    return rankings;
  }

  private List<SampleCollector.Part> parts(String phase, SortedMap<String, String> point) {
    return results.executions().stream()
        .filter(execution -> has(execution, phase))
        .map(execution -> SampleCollector.Part.of(execution, point))
        .toList();
  }

  private static boolean has(Results execution, String phase) {
    return execution.manifest().phases().contains(phase)
        || execution.runs().stream().anyMatch(run -> SampleCollector.phase(run, phase).isPresent());
  }

  private List<Ranking> of(Group group, List<SampleCollector.Part> parts) {
    List<Ranking> rankings = new ArrayList<>();
    for (Metric metric : Metric.ALL) {
      Ranking ranking = ranking(group, metric, parts);
      boolean always = metric.equals(Metric.THROUGHPUT) && group.operation().isEmpty();
      if (always ? !parts.isEmpty() : !ranking.standings().isEmpty()) {
        rankings.add(ranking);
      }
    }
    return rankings;
  }

  private Ranking ranking(Group group, Metric metric, List<SampleCollector.Part> parts) {
    SortedMap<String, Estimate> estimates = new TreeMap<>();
    List<Excluded> excluded = new ArrayList<>();
    for (String engine : engines) {
      SampleCollector tally = new SampleCollector(engine, metric, group);
      parts.forEach(tally::add);
      tally.estimate().ifPresent(estimate -> estimates.put(engine, estimate));
      excluded.addAll(tally.excluded());
    }
    return Ranking.of(metric, group, estimates, excluded);
  }
}
