package kvrank.scenario.read;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.input.YamlValue;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.Setting;
import kvrank.workload.Workload;
import kvrank.workload.pace.Pacing;

/** Reads a phase whose threads are in groups: {@code groups: {writers: {workload: set}, …}}. */
record GroupReader(DefinitionLoader library, Path folder) {

  static final String GROUPS = "groups";

  private static final List<String> OF_GROUPS = List.of("workload", Setting.RATE.label());

  private static final List<String> NOT_FOR_GROUPS =
      List.of("load", "curve", "search", Setting.OPERATIONS.label());

  /** Returns the groups in the order of the file; empty after a problem. */
  List<GroupSpec> read(YamlValue map) {
    for (String key : OF_GROUPS) {
      if (map.has(key)) {
        map.get(key).report("each group has its own; move it into the groups");
      }
    }
    for (String key : NOT_FOR_GROUPS) {
      if (map.has(key)) {
        map.get(key).report("does not apply to a phase with groups; remove it");
      }
    }
    YamlValue groups = map.get(GROUPS).keys("group");
    List<GroupSpec> result = new ArrayList<>();
    groups.entries().forEach((name, group) -> group(groups, name, group).ifPresent(result::add));
    if (groups.isMap() && groups.names().isEmpty()) {
      groups.report("needs at least one group, such as readers: {workload: get}");
    }
    if (groups.names().size() > GroupSpec.MOST) {
      groups.report("has %d groups; at most %d are allowed", groups.names().size(), GroupSpec.MOST);
    }
    return result.size() < groups.names().size() ? List.of() : result;
  }

  private Optional<GroupSpec> group(YamlValue groups, String name, YamlValue group) {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
      groups
          .at(name)
          .report("'%s' is not a name of a group; use letters, digits, '-' and '_'", name);
      return Optional.empty();
    }
    YamlValue reference = group.isMap() ? group.required("workload") : group;
    Optional<String> threads =
        group.isMap() ? Setting.THREADS.read(group.get(Setting.THREADS.label())) : Optional.empty();
    Optional<String> rate =
        group.isMap() ? Setting.RATE.read(group.get(Setting.RATE.label())) : Optional.empty();
    return workload(reference, name)
        .map(
            workload ->
                new GroupSpec(
                    name,
                    workload,
                    threads.stream().mapToInt(Integer::parseInt).findFirst(),
                    rate.orElse(Pacing.UNLIMITED)));
  }

  private Optional<Workload> workload(YamlValue reference, String name) {
    if (reference.has("ycsb") || reference.has("class")) {
      return reference.report("a group cannot have a workload of YCSB; write its operations");
    }
    Optional<Workload> workload =
        reference.isMap()
            ? WorkloadReader.read(reference, name)
            : library.workload(reference, folder);
    return workload.filter(one -> one.mix().drain()).isPresent()
        ? reference.report("drains the store, which needs a phase without groups")
        : workload;
  }
}
