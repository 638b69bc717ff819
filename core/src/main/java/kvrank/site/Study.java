package kvrank.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.site.Contest.Role;
import kvrank.stats.Group;
import kvrank.stats.Merge;
import kvrank.stats.RankingIndex;
import kvrank.stats.ResourceRanking;

/**
 * One scenario on one machine: its executions, merged as {@code kvrank report} merges them, so that
 * site and report have the same rankings.
 */
record Study(Machine machine, String scenario, RankingIndex index) {

  /** Returns the studies by scenario and machine. */
  static List<Study> of(Map<Machine, List<ExecutionResults>> machines) {
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
                new Study(
                    each.getKey(),
                    each.getValue().getKey(),
                    RankingIndex.of(Merge.of(each.getValue().getValue()))))
        .sorted(
            Comparator.comparing(Study::scenario).thenComparing(study -> study.machine().label()))
        .toList();
  }

  String file() {
    // No file name has two dashes, so that no other pair gives the same.
    return Links.file(scenario) + "--" + Links.file(machine.label());
  }

  List<ExecutionResults> executions() {
    return index.results().executions();
  }

  /** Returns the address of the runs of an engine, from a page in a folder. */
  String runs(Group group, String engine) {
    return "../runs/%s.html#%s".formatted(file(), RunsPage.anchor(index, group, engine));
  }

  /** Returns the contests of its phases, then those of memory and storage. */
  List<Contest> contests() {
    List<Contest> contests = new ArrayList<>();
    for (Group group : index.phaseGroups()) {
      UseCase use = UseCase.of(index, group);
      contests.add(new Contest(this, use, group, index.decisive(group), Role.RECOMMENDS));
      if (use == UseCase.CACHE) {
        index
            .ranking(group, Metrics.HIT_RATIO)
            .ifPresent(it -> contests.add(new Contest(this, use, group, it, Role.QUALIFIES)));
      }
    }
    for (List<Group> point : index.phaseGroupsByPoint()) {
      ResourceRanking.memory(index, point)
          .ifPresent(it -> contests.add(Contest.of(this, UseCase.MEMORY, it)));
      ResourceRanking.storage(index, point)
          .ifPresent(it -> contests.add(Contest.of(this, UseCase.FOOTPRINT, it)));
    }
    contests.removeIf(contest -> contest.ranking().standings().isEmpty());
    return contests;
  }
}
