package kvrank.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Operation;
import kvrank.workload.Workload;

/** Reads the phases of a scenario and sees to the load. */
final class PhaseSpecReader {

  /** The workload that is the load unless the scenario names another. */
  static final String LOAD = "load";

  private static final String YCSB = "ycsb";

  private static final Set<Setting> NOT_OF_A_LOAD =
      Set.of(Setting.WARMUP, Setting.DURATION, Setting.OPERATIONS);

  private final DefinitionLoader library;
  private final Path folder;
  private final SortedMap<String, SourceLocation> names = new TreeMap<>();

  /**
   * @param folder what the path of a workload's file is relative to
   */
  PhaseSpecReader(DefinitionLoader library, Path folder) {
    this.library = library;
    this.folder = folder;
  }

  /** Returns the phases in order, the load first. */
  List<Located<PhaseSpec>> read(YamlValue phases) {
    List<YamlValue> items = phases.items();
    if (phases.isList() && items.isEmpty()) {
      phases.report("needs at least one workload");
    }
    List<Located<PhaseSpec>> result = new ArrayList<>();
    for (YamlValue item : items) {
      phase(item).ifPresent(phase -> result.add(new Located<>(phase, item.place())));
    }
    boolean stated = false;
    for (int i = 0; i < result.size(); i++) {
      if (result.get(i).value().load()) {
        checkLoad(result.get(i), stated, i == 0);
        stated = true;
      }
    }
    if (!stated && claim(LOAD, phases.place())) {
      standardLoad(result)
          .map(workload -> new PhaseSpec(LOAD, workload, true, new TreeMap<>(), Optional.empty()))
          .ifPresent(load -> result.add(0, new Located<>(load, phases.place())));
    }
    return result;
  }

  /** kvrank's own load, unless the first phase is of a class that inserts what it will look for. */
  private Optional<Workload> standardLoad(List<Located<PhaseSpec>> phases) {
    Optional<Workload> first = phases.stream().findFirst().map(phase -> phase.value().workload());
    Path file = library.workloadFile(LOAD);
    return first
        .filter(workload -> workload.hosted().isPresent())
        .or(() -> library.workload(file, library.shown(file)));
  }

  private Optional<PhaseSpec> phase(YamlValue element) {
    if (element.isMap()) {
      return element.section(this::phase).flatMap(phase -> phase);
    }
    return library
        .workload(element, folder)
        .filter(workload -> claim(workload.name(), element.place()))
        .map(
            w ->
                new PhaseSpec(
                    w.name(), w, w.name().equals(LOAD), new TreeMap<>(), Optional.empty()));
  }

  private Optional<PhaseSpec> phase(YamlMap section) {
    Optional<YamlValue> reference = section.required("workload");
    Optional<YamlValue> as = section.optional("as");
    Optional<String> name = as.flatMap(YamlValue::name);
    Optional<YamlValue> load = section.optional("load");
    Map<Setting, YamlValue> stated = new TreeMap<>();
    SortedMap<Setting, String> settings = settings(section, stated);
    SweepReader sweeps = new SweepReader(section);
    Optional<Workload> workload =
        reference.flatMap(element -> workload(element, name.orElse("inline")));
    if (workload.isEmpty()) {
      return Optional.empty();
    }
    boolean isLoad = load.flatMap(YamlValue::flag).orElse(workload.get().name().equals(LOAD));
    if (isLoad) {
      stated.forEach(
          (setting, element) -> {
            if (NOT_OF_A_LOAD.contains(setting)) {
              element.report("does not apply to the load, which inserts every record once");
            }
          });
    }
    Optional<Sweep> sweep = sweeps.read(workload.get(), isLoad, settings.containsKey(Setting.RATE));
    String label = name.orElse(workload.get().name());
    SourceLocation labelPlace =
        as.or(() -> reference).map(YamlValue::place).orElse(section.place());
    return claim(label, labelPlace)
        ? Optional.of(new PhaseSpec(label, workload.get(), isLoad, settings, sweep))
        : Optional.empty();
  }

  private Optional<Workload> workload(YamlValue reference, String name) {
    if (!reference.isMap()) {
      return library.workload(reference, folder);
    }
    HostedWorkloadReader hosted = new HostedWorkloadReader(folder);
    if (reference.keys().contains(HostedWorkloadReader.CLASS)) {
      return hosted.read(reference);
    }
    if (!reference.keys().contains(YCSB)) {
      return new WorkloadReader(name).read(reference);
    }
    return reference
        .section(
            section -> {
              List<Path> classpath = hosted.classpath(section);
              return section
                  .required(YCSB)
                  .flatMap(file -> library.ycsbWorkload(file, folder, classpath));
            })
        .flatMap(workload -> workload);
  }

  private static SortedMap<Setting, String> settings(
      YamlMap section, Map<Setting, YamlValue> stated) {
    SortedMap<Setting, String> result = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      if (setting.perPhase()) {
        section
            .optional(setting.label())
            .ifPresent(
                element -> {
                  stated.put(setting, element);
                  SettingFormat.read(setting, element)
                      .ifPresent(value -> result.put(setting, value));
                });
      } else if (section.has(setting.label())) {
        section
            .claim(setting.label())
            .report("'" + setting.label() + "' is for the whole run; state it at the top level");
      }
    }
    if (stated.containsKey(Setting.DURATION) && stated.containsKey(Setting.OPERATIONS)) {
      stated
          .get(Setting.OPERATIONS)
          .report("'operations' and 'duration' exclude each other; keep one");
    } else if (result.containsKey(Setting.DURATION)) {
      // A phase that lasts is not counted, even where the scenario counts.
      result.put(Setting.OPERATIONS, "");
    }
    return result;
  }

  private boolean claim(String name, SourceLocation place) {
    if (!YamlValue.isName(name, place)) {
      return false;
    }
    SourceLocation first = names.putIfAbsent(name, place);
    if (first != null) {
      place.report(
          "a phase '%s' is on %s already; give one of them another name with 'as'"
              .formatted(name, first.reference()));
    }
    return first == null;
  }

  private static void checkLoad(Located<PhaseSpec> load, boolean second, boolean first) {
    String name = load.value().name();
    if (second) {
      load.place().report("'" + name + "' is a second load; a run has one");
    } else if (!first) {
      load.place().report("'" + name + "' is the load; it must be the first phase");
    }
    Set<Operation> operations = load.value().workload().operations();
    if (!operations.isEmpty() && !operations.equals(Set.of(Operation.INSERT))) {
      load.place().report("'" + name + "' is the load; its operations must be insert only");
    }
  }
}
