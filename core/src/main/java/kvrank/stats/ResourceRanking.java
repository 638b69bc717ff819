package kvrank.stats;

import static java.util.stream.Collectors.summarizingDouble;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.metric.Metrics;
import kvrank.results.PhaseRecord;
import kvrank.workload.request.Operation;

/**
 * The ranking by memory or storage at a factor point.
 *
 * <p>It is after the load or, without a value there, after the last phase up to which each engine
 * did the same work. In a phase of a fixed time a faster engine writes more, and its memory and
 * storage grow with that.
 *
 * @param equalWork whether there is such a phase; otherwise the values are the last ones, and
 *     engines must not be compared by them
 */
public record ResourceRanking(Ranking ranking, boolean equalWork) {

  /** Why values are not ranked without {@link #equalWork}. */
  public static final String UNEQUAL_WORK =
      "not ranked, as a faster engine wrote more in phases of a fixed time";

  /** Engines hold the same records if no one holds more than this multiple of another's bytes. */
  private static final double SAME = 1.05;

  /**
   * Returns the rankings by memory: that after the same work, if there is one, and those after
   * phases that only read while all engines hold the same records, since caches that fill there
   * belong to the memory that an engine needs. Otherwise it is the last one.
   */
  public static List<ResourceRanking> memories(RankingIndex index, List<Group> phaseGroups) {
    Stream<ResourceRanking> first = memory(index, phaseGroups).stream();
    Stream<ResourceRanking> readers =
        phaseGroups.stream()
            .filter(group -> onlyReads(index, group))
            .flatMap(
                group ->
                    ofData(index, group).or(() -> index.ranking(group, Metrics.MEMORY)).stream())
            .map(ranking -> new ResourceRanking(ranking, true));
    List<ResourceRanking> all = Stream.concat(first, readers).distinct().toList();
    return all.isEmpty() || all.get(0).equalWork ? all : all.subList(0, 1);
  }

  /**
   * Returns the ranking by memory. It is by memory for data if each engine has it, because {@link
   * Metrics#MEMORY} of an embedded engine includes the client and its JVM.
   *
   * @param phaseGroups the phases of the factor point, in their order
   */
  public static Optional<ResourceRanking> memory(RankingIndex index, List<Group> phaseGroups) {
    return of(
        index,
        phaseGroups,
        List.of(group -> ofData(index, group), group -> index.ranking(group, Metrics.MEMORY)));
  }

  private static boolean onlyReads(RankingIndex index, Group group) {
    List<PhaseRecord> phases =
        index.engines().stream().flatMap(engine -> index.phases(group, engine).stream()).toList();
    DoubleSummaryStatistics held =
        phases.stream()
            .collect(summarizingDouble(phase -> phase.facts().number(Fact.USER_LIVE_BYTES)));
    return phases.stream().noneMatch(ResourceRanking::writes)
        && held.getMax() <= SAME * held.getMin();
  }

  private static boolean writes(PhaseRecord phase) {
    return phase.load()
        || phase.operations().keySet().stream()
            .flatMap(label -> Operation.ofResult(label).stream())
            .anyMatch(Operation::writes);
  }

  private static Optional<Ranking> ofData(RankingIndex index, Group group) {
    return index.ranking(group, Metrics.DATA_MEMORY).filter(each -> complete(index, each));
  }

  /** Returns the ranking by storage. */
  public static Optional<ResourceRanking> storage(RankingIndex index, List<Group> phaseGroups) {
    return of(index, phaseGroups, List.of(group -> index.ranking(group, Metrics.FOOTPRINT)));
  }

  /** Returns whether {@code ofData} has every engine that has any memory in its phase. */
  private static boolean complete(RankingIndex index, Ranking ofData) {
    Optional<Ranking> ofProcesses = index.ranking(ofData.group(), Metrics.MEMORY);
    return ofData.standings().size()
        >= ofProcesses.map(ranking -> ranking.standings().size()).orElse(0);
  }

  /** Returns the first that has a value, of the preferred metric if any phase has it. */
  private static Optional<ResourceRanking> of(
      RankingIndex index,
      List<Group> phaseGroups,
      List<Function<Group, Optional<Ranking>>> metrics) {
    List<Group> equal = new ArrayList<>();
    List<Group> all = new ArrayList<>();
    boolean same = true;
    for (Group group : phaseGroups) {
      same &= equalWork(index, group);
      all.add(0, group);
      if (same) {
        equal.add(0, group);
      }
    }
    equal.sort(Comparator.comparing(group -> !index.load(group))); // then the later
    return Stream.of(true, false)
        .flatMap(
            work ->
                metrics.stream()
                    .flatMap(metric -> (work ? equal : all).stream().map(metric))
                    .flatMap(Optional::stream)
                    .map(ranking -> new ResourceRanking(ranking, work)))
        .findFirst();
  }

  private static boolean equalWork(RankingIndex index, Group group) {
    return index.engines().stream()
        .flatMap(engine -> index.phases(group, engine).stream())
        .allMatch(PhaseRecord::equalWork);
  }
}
