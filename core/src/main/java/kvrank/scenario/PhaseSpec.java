package kvrank.scenario;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import kvrank.workload.ClientGroup;
import kvrank.workload.Workload;
import kvrank.workload.request.Operation;

/**
 * A phase as a scenario asks for it.
 *
 * @param name the workload's name, or the value of {@code as}; unique in the scenario
 * @param workload of a phase with groups, the sum of theirs
 * @param load whether this is the load, which inserts every record once
 * @param settings settings of only this phase, which override the factor point
 * @param groups of threads with workloads of their own; empty if all threads have the same
 */
public record PhaseSpec(
    String name,
    Workload workload,
    boolean load,
    SortedMap<Setting, String> settings,
    Optional<Sweep> sweep,
    List<GroupSpec> groups) {

  public PhaseSpec {
    groups = List.copyOf(groups);
  }

  /** A phase without groups. */
  public PhaseSpec(
      String name,
      Workload workload,
      boolean load,
      SortedMap<Setting, String> settings,
      Optional<Sweep> sweep) {
    this(name, workload, load, settings, sweep, List.of());
  }

  /** A phase with groups of threads, at least one. */
  public static PhaseSpec of(
      String name, SortedMap<Setting, String> settings, List<GroupSpec> groups) {
    Workload all = GroupSpec.together(name, groups);
    return new PhaseSpec(name, all, false, settings, Optional.empty(), groups);
  }

  /** Returns its workload, or those of its groups. */
  public List<Workload> workloads() {
    return groups.isEmpty() ? List.of(workload) : groups.stream().map(GroupSpec::workload).toList();
  }

  /** Returns the labels of its operations in results. */
  public SortedSet<String> operations() {
    SortedSet<String> labels = new TreeSet<>();
    if (groups.isEmpty()) {
      workload.operations().forEach(operation -> labels.add(operation.label()));
    }
    for (GroupSpec group : groups) {
      for (Operation operation : group.workload().operations()) {
        labels.add(ClientGroup.label(group.name(), operation));
      }
    }
    return labels;
  }
}
