package kvrank.report;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Results;
import kvrank.stats.DurabilitySummary;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.Ranking;
import kvrank.stats.Rankings;
import kvrank.stats.Standing;

/** The rankings of some results, found by group and metric. */
final class RankingIndex {

  private final Merge merge;
  private final Results results;
  private final List<Ranking> rankings;
  private final Map<Group, Map<String, Ranking>> byGroup = new LinkedHashMap<>();

  private RankingIndex(Merge merge) {
    this.merge = requireNonNull(merge, "merge is null");
    this.results = merge.results();
    this.rankings = Rankings.of(results);
    for (Ranking ranking : rankings) {
      byGroup
          .computeIfAbsent(ranking.group(), group -> new LinkedHashMap<>())
          .put(ranking.metric().id(), ranking);
    }
  }

  static RankingIndex of(Results results) {
    return new RankingIndex(new Merge(results, List.of()));
  }

  static RankingIndex of(Merge merge) {
    return new RankingIndex(merge);
  }

  /** What of merged executions is kept apart, a sentence each. */
  List<String> differences() {
    return merge.differences();
  }

  Results results() {
    return results;
  }

  /** Every ranking in order. */
  List<Ranking> rankings() {
    return rankings;
  }

  List<String> engines() {
    return Rankings.engines(results);
  }

  /** The phases as wholes, in order: one for each phase and factor point. */
  List<Group> wholes() {
    return byGroup.keySet().stream()
        .filter(group -> group.operation().isEmpty() && !group.ofRun())
        .toList();
  }

  /** The phases as wholes of each factor point, the points in order. */
  Collection<List<Group>> wholesByPoint() {
    Map<SortedMap<String, String>, List<Group>> points = new LinkedHashMap<>();
    for (Group group : wholes()) {
      points.computeIfAbsent(group.factors(), factors -> new ArrayList<>()).add(group);
    }
    return points.values();
  }

  /** The operations of a phase, each as a group of its own. */
  List<Group> operations(Group whole) {
    return byGroup.keySet().stream()
        .filter(group -> group.operation().isPresent())
        .filter(group -> group.phase().equals(whole.phase()))
        .filter(group -> group.factors().equals(whole.factors()))
        .toList();
  }

  /** The ranking by p99 of a phase whose rate was given, not found; empty for the others. */
  Optional<Ranking> latencyAtRate(Group whole) {
    boolean given =
        engines().stream()
            .flatMap(engine -> phases(whole, engine).stream())
            .anyMatch(phase -> phase.points().isEmpty() && phase.facts().containsKey("rate.asked"));
    return given
        ? operations(whole).stream()
            .flatMap(group -> ranking(group, Metrics.LATENCY_P99).stream())
            .filter(ranking -> !ranking.standings().isEmpty())
            .findFirst()
        : Optional.empty();
  }

  /** The completed repetitions of one engine in a group. */
  List<PhaseRecord> phases(Group group, String engine) {
    return results.runs().stream()
        .filter(run -> run.engine().equals(engine) && run.factors().equals(group.factors()))
        .flatMap(run -> run.phases().stream())
        .filter(phase -> phase.name().equals(group.phase()))
        .filter(phase -> phase.outcome() instanceof Outcome.Completed)
        .toList();
  }

  /** What the repetitions of one engine say of its durability. */
  Optional<DurabilitySummary> proof(Group group, String engine) {
    return DurabilitySummary.of(phases(group, engine));
  }

  Optional<Ranking> ranking(Group group, Metric metric) {
    return Optional.ofNullable(byGroup.getOrDefault(group, Map.of()).get(metric.id()));
  }

  /** The ranking by {@code metric} of the group, or of the phase or the runs that it is part of. */
  Ranking asked(Group group, Metric metric) {
    Group whole = group.of(metric);
    return ranking(whole, metric)
        .orElseGet(() -> new Ranking(metric, whole, List.of(), throughput(group).excluded()));
  }

  /** The ranking by throughput, which every group has. */
  Ranking throughput(Group group) {
    return ranking(group, Metrics.THROUGHPUT).orElseThrow();
  }

  Optional<Standing> standing(Group group, Metric metric, String engine) {
    return ranking(group, metric).flatMap(ranking -> ranking.standing(engine));
  }
}
