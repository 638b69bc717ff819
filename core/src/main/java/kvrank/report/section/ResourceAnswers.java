package kvrank.report.section;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import kvrank.metric.Direction;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Places;
import kvrank.report.ranking.PointRankings;
import kvrank.results.Manifest;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;
import kvrank.stats.ResourceRanking;
import kvrank.stats.Sample;
import kvrank.table.TableSpec;

/**
 * Which engines need least memory ({@link ResourceRanking}); storage and hit ratios if the
 * scenario's tables show them.
 */
final class ResourceAnswers {

  /** The most engines with a value; the others are counted. */
  private static final int ENGINES = 4;

  private final RankingIndex index;

  /** The metrics of the scenario's tables. */
  private final Set<Metric> asked;

  ResourceAnswers(RankingIndex index) {
    this.index = index;
    this.asked = index.results().tables().stream().flatMap(TableSpec::metrics).collect(toSet());
  }

  /**
   * Returns a sentence for each metric and level of fsync, for example {@code Least memory for
   * data, load at fsync=off: redis 12.3 MiB; lmdb 16.1 MiB (rank 2)}. Several factor points give
   * ranges of values and of ranks. After unequal work there are only values.
   */
  List<String> sentences() {
    return sentences(
        metric -> asked.contains(metric) || (metric.equals(Metrics.MEMORY) && !judged(index)));
  }

  /** Returns whether the verdict on requirements shows memory. */
  static boolean judged(RankingIndex index) {
    Manifest manifest = index.results().manifest();
    return manifest.requires(Metrics.MEMORY) || manifest.requires(Metrics.DATA_MEMORY);
  }

  /** Returns the same only for metrics that the scenario's tables show. */
  List<String> asked() {
    return sentences(asked::contains);
  }

  private List<String> sentences(Predicate<Metric> named) {
    return Stream.of(Metrics.HIT_RATIO, Metrics.MEMORY, Metrics.FOOTPRINT)
        .filter(named)
        .flatMap(
            metric ->
                PointRankings.of(
                    index.phaseGroupsByPoint().stream()
                        .flatMap(phaseGroups -> ranking(phaseGroups, metric).stream()))
                    .stream())
        .filter(PointRankings::compared)
        .map(points -> points.equalWork() ? sentence(points) : values(points))
        .toList();
  }

  private Optional<ResourceRanking> ranking(List<Group> phaseGroups, Metric metric) {
    return metric.equals(Metrics.MEMORY)
        ? ResourceRanking.memory(index, phaseGroups)
        : metric.equals(Metrics.FOOTPRINT)
            ? ResourceRanking.storage(index, phaseGroups)
            : index
                .ranking(phaseGroups.get(phaseGroups.size() - 1), metric)
                .map(ranking -> new ResourceRanking(ranking, true));
  }

  /** Returns values without ranks, in the order of the scenario, and the reason. */
  private String values(PointRankings points) {
    Metric metric = points.metric();
    List<String> engines =
        index.engines().stream().filter(engine -> points.values(engine).length > 0).toList();
    List<String> values =
        engines.stream().map(engine -> engine + " " + points.value(engine)).toList();
    return "%s, %s: %s%s; %s"
        .formatted(
            Labels.capitalized(metric.title()),
            place(points.groups()),
            String.join(", ", Labels.first(values, ENGINES)),
            withTheClient(points, engines),
            ResourceRanking.UNEQUAL_WORK);
  }

  private String sentence(PointRankings points) {
    Metric metric = points.metric();
    List<String> order = PointRankings.order(points.rankings());
    Map<String, List<String>> byRanks = new LinkedHashMap<>();
    for (String engine : order.subList(0, Math.min(ENGINES, order.size()))) {
      byRanks
          .computeIfAbsent(ranks(points, engine), any -> new ArrayList<>())
          .add(engine + " " + points.value(engine));
    }
    String first = byRanks.keySet().iterator().next();
    String most = metric.direction() == Direction.LOWER ? "Least " : "Highest ";
    int more = order.size() - ENGINES;
    return (first.isEmpty() ? most + metric.title() : Labels.capitalized(metric.title()))
        + ", "
        + place(points.groups())
        + ": "
        + byRanks.entrySet().stream()
            .map(each -> String.join(", ", each.getValue()) + each.getKey())
            .collect(joining("; "))
        + (more > 0 ? "; and %d more".formatted(more) : "")
        + withTheClient(points, order);
  }

  /** Returns for example {@code get at fsync=off, range over threads=1, 2 and 4}. */
  private static String place(List<Group> groups) {
    Group first = groups.get(0);
    return groups.size() == 1
        ? first.label()
        : "%s at fsync=%s, range over %s"
            .formatted(first.phase(), first.fsync(), new Places(groups).of(groups));
  }

  /** Returns the ranks that are possible at any factor point; nothing for a certain first. */
  private static String ranks(PointRankings points, String engine) {
    return points
        .ranks(engine)
        .map(ranks -> ranks.matches("1\\??") ? "" : " (rank " + ranks + ")")
        .orElse(" (not separated)");
  }

  /** Returns the engines whose memory includes the client's process, if there are any. */
  private String withTheClient(PointRankings points, List<String> engines) {
    List<String> servers = new ArrayList<>(engines);
    List<String> embedded =
        engines.stream().filter(engine -> embedded(index, points, engine)).toList();
    servers.removeAll(embedded);
    if (embedded.isEmpty()) {
      return "";
    }
    return servers.isEmpty()
        ? "; each includes the client's JVM"
        : servers.size() < embedded.size()
            ? "; all except " + Labels.joined(servers) + " include the client's JVM"
            : "; with the client's JVM: " + Labels.joined(embedded);
  }

  /** Returns whether the memory of {@code engine} includes the client's JVM. */
  static boolean embedded(RankingIndex index, PointRankings memory, String engine) {
    return memory.metric().equals(Metrics.MEMORY)
        && memory.groups().stream()
            .flatMap(group -> index.runs(group, engine).stream())
            .anyMatch(Sample::embedded);
  }
}
