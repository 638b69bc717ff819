package kvrank.scenario;

import static java.util.Objects.requireNonNull;

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

  private final Library library;
  private final Path folder;
  private final SortedMap<String, Place> names = new TreeMap<>();

  /**
   * @param folder what the path of a workload's file is relative to
   */
  PhaseSpecReader(Library library, Path folder) {
    this.library = requireNonNull(library, "library is null");
    this.folder = requireNonNull(folder, "folder is null");
  }

  /** The phases in order, the load first. */
  List<Placed<PhaseSpec>> read(Element phases) {
    List<Element> items = phases.items();
    if (phases.isList() && items.isEmpty()) {
      phases.report("needs at least one workload");
    }
    List<Placed<PhaseSpec>> result = new ArrayList<>();
    for (Element item : items) {
      phase(item).ifPresent(phase -> result.add(new Placed<>(phase, item.place())));
    }
    boolean stated = false;
    for (Placed<PhaseSpec> phase : result) {
      if (phase.value().load()) {
        checkLoad(phase, stated, phase.equals(result.get(0)));
        stated = true;
      }
    }
    if (!stated && claim(LOAD, phases.place())) {
      Path file = library.workloadFile(LOAD);
      library
          .workload(file, library.shown(file))
          .map(workload -> new PhaseSpec(LOAD, workload, true, new TreeMap<>()))
          .ifPresent(load -> result.add(0, new Placed<>(load, phases.place())));
    }
    return result;
  }

  private Optional<PhaseSpec> phase(Element element) {
    if (element.isMap()) {
      return element.section(this::phase).flatMap(phase -> phase);
    }
    return library
        .workload(element, folder)
        .filter(workload -> claim(workload.name(), element.place()))
        .map(w -> new PhaseSpec(w.name(), w, w.name().equals(LOAD), new TreeMap<>()));
  }

  private Optional<PhaseSpec> phase(Section section) {
    Optional<Element> reference = section.required("workload");
    Optional<Element> as = section.optional("as");
    Optional<String> name = as.flatMap(Element::name);
    Optional<Element> load = section.optional("load");
    Map<Setting, Element> stated = new TreeMap<>();
    SortedMap<Setting, String> settings = settings(section, stated);
    SweepReader sweeps = new SweepReader(section);
    Optional<Workload> workload =
        reference.flatMap(element -> workload(element, name.orElse("inline")));
    if (workload.isEmpty()) {
      return Optional.empty();
    }
    boolean isLoad = load.flatMap(Element::flag).orElse(workload.get().name().equals(LOAD));
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
    Place labelPlace = as.or(() -> reference).map(Element::place).orElse(section.place());
    return claim(label, labelPlace)
        ? Optional.of(new PhaseSpec(label, workload.get(), isLoad, settings, sweep))
        : Optional.empty();
  }

  private Optional<Workload> workload(Element reference, String name) {
    if (!reference.isMap()) {
      return library.workload(reference, folder);
    }
    if (!reference.keys().contains(YCSB)) {
      return new WorkloadReader(name).read(reference);
    }
    return reference
        .section(section -> section.required(YCSB))
        .flatMap(file -> file.flatMap(element -> library.ycsbWorkload(element, folder)));
  }

  private static SortedMap<Setting, String> settings(
      Section section, Map<Setting, Element> stated) {
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

  private boolean claim(String name, Place place) {
    if (!Element.isName(name, place)) {
      return false;
    }
    Place first = names.putIfAbsent(name, place);
    if (first != null) {
      place.report(
          "a phase '%s' is on %s already; give one of them another name with 'as'"
              .formatted(name, first.reference()));
    }
    return first == null;
  }

  private static void checkLoad(Placed<PhaseSpec> load, boolean second, boolean first) {
    String name = load.value().name();
    if (second) {
      load.place().report("'" + name + "' is a second load; a run has one");
    } else if (!first) {
      load.place().report("'" + name + "' is the load; it must be the first phase");
    }
    Set<Operation> operations = load.value().workload().operations().keySet();
    if (!operations.isEmpty() && !operations.equals(Set.of(Operation.INSERT))) {
      load.place().report("'" + name + "' is the load; its operations must be insert only");
    }
  }
}
