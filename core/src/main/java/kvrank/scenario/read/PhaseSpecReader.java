package kvrank.scenario.read;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Unit;
import kvrank.scenario.GroupSpec;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Setting;
import kvrank.scenario.Sweep;
import kvrank.scenario.read.ycsb.YcsbClasses;
import kvrank.scenario.read.ycsb.YcsbFileReader;
import kvrank.scenario.read.ycsb.YcsbFileReader.YcsbFile;
import kvrank.workload.HostedWorkload;
import kvrank.workload.Workload;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;
import kvrank.workload.trace.Replay;

/** Reads the phases of a scenario, and adds the load if it is missing. */
final class PhaseSpecReader {

  /** The default workload of the load. */
  static final String LOAD = "load";

  private static final String CLASS = "class";
  private static final String YCSB = "ycsb";
  private static final String NOT_FOR_LOADS =
      "does not apply to the load, which inserts every record once";
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?)%");
  private static final Pattern LATENCY = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(us|µs|ms|s)");

  private final DefinitionLoader library;
  private final Path folder;
  private final Set<Setting> stated;
  private final SortedMap<String, SourceLocation> names = new TreeMap<>();
  private final SortedMap<Setting, Located<String>> ofRun = new TreeMap<>();
  private final SortedMap<Setting, String> ofLoad = new TreeMap<>();

  /**
   * Paths of workload files are relative to {@code folder}.
   *
   * @param stated the settings that the scenario states, which replace those of YCSB files
   */
  PhaseSpecReader(DefinitionLoader library, Path folder, Set<Setting> stated) {
    this.library = library;
    this.folder = folder;
    this.stated = stated;
  }

  /** Returns the settings of the whole run that YCSB files state and the scenario does not. */
  SortedMap<Setting, Located<String>> settingsOfRun() {
    return ofRun;
  }

  /** Returns the phases in order, the load first. */
  List<Located<PhaseSpec>> read(YamlValue phases) {
    List<Located<PhaseSpec>> result = new ArrayList<>();
    for (YamlValue item : phases.items("needs at least one workload")) {
      phase(item).ifPresent(phase -> result.add(new Located<>(phase, item.place())));
    }
    result.replaceAll(phase -> new Located<>(loading(phase.value()), phase.place()));
    List<Located<PhaseSpec>> loads = result.stream().filter(p -> p.value().load()).toList();
    for (int i = 0; i < loads.size(); i++) {
      checkLoad(loads.get(i), i > 0, i == 0 && result.get(0).value().load());
    }
    if (trace(result).filter(trace -> trace.loaded() == 0).isPresent()) {
      loads.forEach(
          load ->
              load.report(
                  "'%s' has nothing to load: the replay starts with an empty store ('before: none',"
                      + " the default with 'misses: fill'), or the trace shows no record that"
                      + " existed before; remove the load",
                  load.value().name()));
      return result;
    }
    if (loads.isEmpty() && phases.isPresent() && claim(LOAD, phases.place())) {
      // A YCSB workload inserts the records that it will read.
      result.stream()
          .findFirst()
          .map(first -> first.value().workload())
          .filter(workload -> workload.hosted().isPresent())
          .or(() -> library.workload(LOAD))
          .map(workload -> new PhaseSpec(LOAD, workload, true, ofLoad, Optional.empty()))
          .ifPresent(load -> result.add(0, new Located<>(load, phases.place())));
    }
    return result;
  }

  /** Returns a load with the settings that YCSB files give it, unless it states others. */
  private PhaseSpec loading(PhaseSpec phase) {
    if (!phase.load()) {
      return phase;
    }
    SortedMap<Setting, String> settings = new TreeMap<>(ofLoad);
    settings.putAll(phase.settings());
    return new PhaseSpec(phase.name(), phase.workload(), true, settings, phase.sweep());
  }

  /** Returns the replayed trace, if there is one; reports other phases, except for the load. */
  private static Optional<Replay> trace(List<Located<PhaseSpec>> phases) {
    List<Located<PhaseSpec>> others = phases.stream().filter(p -> !p.value().load()).toList();
    Optional<Located<PhaseSpec>> trace =
        others.stream().filter(p -> p.value().workload().trace().isPresent()).findFirst();
    others.stream()
        .filter(phase -> trace.isPresent() && !phase.equals(trace.get()))
        .forEach(
            phase ->
                phase.report(
                    "cannot be combined with the trace '%s', which has its own records and changes"
                        + " them; use two scenarios",
                    trace.get().value().name()));
    return trace.flatMap(phase -> phase.value().workload().trace());
  }

  private Optional<PhaseSpec> phase(YamlValue map) {
    if (!map.isMap()) {
      return library
          .workload(map, folder)
          .filter(workload -> claim(workload.name(), map.place()))
          .map(w -> new PhaseSpec(w.name(), w, isLoad(w), new TreeMap<>(), Optional.empty()));
    }
    TracePhaseReader.checkKeys(map);
    if (map.get(GroupReader.GROUPS).isPresent()) {
      return grouped(map);
    }
    boolean trace = map.get(TracePhaseReader.TRACE).isPresent();
    YamlValue reference = trace ? map.get(TracePhaseReader.TRACE) : map.required("workload");
    YamlValue as = map.get("as");
    Optional<Boolean> load = map.get("load").flag();
    SortedMap<Setting, String> settings = settings(map);
    YamlValue curve = map.get("curve");
    YamlValue search = map.get("search");
    Optional<Workload> read =
        trace
            ? new TracePhaseReader(folder).read(map, as.name(), settings)
            : workload(reference, as.name().orElse("inline"), settings, load.orElse(false));
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Workload workload = read.get();
    boolean isLoad = !trace && load.orElse(isLoad(workload));
    if (isLoad) {
      for (Setting setting :
          List.of(Setting.WARMUP, Setting.DURATION, Setting.OPERATIONS, Setting.ERRORS)) {
        if (map.has(setting.label())) {
          map.get(setting.label()).report(NOT_FOR_LOADS);
        }
      }
    }
    boolean rated = settings.containsKey(Setting.RATE);
    Optional<Sweep> sweep = sweep(curve, search, workload, isLoad, rated);
    String name = as.name().orElse(workload.name());
    return claim(name, as.or(reference).place())
        ? Optional.of(new PhaseSpec(name, workload, isLoad, settings, sweep))
        : Optional.empty();
  }

  private Optional<PhaseSpec> grouped(YamlValue map) {
    YamlValue as = map.required("as");
    Optional<String> name = as.name();
    SortedMap<Setting, String> settings = settings(map);
    List<GroupSpec> groups = new GroupReader(library, folder).read(map);
    return groups.isEmpty() || !name.filter(n -> claim(n, as.place())).isPresent()
        ? Optional.empty()
        : Optional.of(PhaseSpec.of(name.get(), settings, groups));
  }

  private static boolean isLoad(Workload workload) {
    return workload.name().equals(LOAD);
  }

  /** Returns the workload of a phase; a YCSB file adds to its {@code settings}. */
  private Optional<Workload> workload(
      YamlValue reference, String name, SortedMap<Setting, String> settings, boolean load) {
    if (!reference.isMap()) {
      return library.workload(reference, folder);
    }
    if (!reference.has(CLASS) && !reference.has(YCSB)) {
      return WorkloadReader.read(reference, name);
    }
    List<Path> classpath = reference.files("classpath", folder);
    SourceLocation place = reference.get("classpath").place();
    classpath.forEach(file -> place.reading().starts(place, file.toString()));
    if (reference.has(YCSB)) {
      return library
          .ycsbFile(reference.required(YCSB), reference.get(CLASS), folder, classpath)
          .map(file -> adopted(file, settings, load));
    }
    YamlValue stated = reference.get("properties");
    SortedMap<String, String> properties = stated.texts();
    Optional<String> type = reference.get(CLASS).className().map(YcsbClasses::current);
    if (type.isPresent() && !YcsbClasses.exists(reference.get(CLASS).with(type.get()), classpath)) {
      return Optional.empty();
    }
    if (type.filter(YcsbClasses::shipped).isPresent()) {
      properties.keySet().forEach(key -> YcsbFileReader.check(key, stated.at(key), false));
    }
    List<String> notes = WorkloadReader.notes(reference);
    String label =
        reference.get("name").name().orElse(type.map(t -> t.replaceFirst(".*\\.", "")).orElse(""));
    return type.map(
        t -> YcsbFileReader.hosted(label, new HostedWorkload(t, properties, classpath), notes));
  }

  /** Returns the workload of {@code file}, whose settings apply unless others are stated. */
  private Workload adopted(YcsbFile file, SortedMap<Setting, String> settings, boolean load) {
    Set<Setting> limits = Set.of(Setting.DURATION, Setting.OPERATIONS);
    List<String> applied = new ArrayList<>();
    List<String> replaced = new ArrayList<>();
    Set<Setting> known = EnumSet.noneOf(Setting.class);
    known.addAll(stated);
    known.addAll(settings.keySet());
    boolean limited = known.stream().anyMatch(limits::contains);
    if (!limited && !load && file.settings().keySet().containsAll(limits)) {
      file.settings()
          .get(Setting.DURATION)
          .report(
              "operationcount also limits the phase; keep one, for example with -p"
                  + " operationcount=0, or state 'duration' in the scenario");
    }
    file.settings()
        .forEach(
            (setting, value) -> {
              boolean limit = limits.contains(setting);
              boolean ofPhase = limit || setting == Setting.WARMUP || setting == Setting.RATE;
              boolean other = known.contains(setting) || (limit && limited) || (load && ofPhase);
              String property = YcsbFileReader.property(setting);
              (other ? replaced : applied).add(property + "=" + file.properties().get(property));
              if (other) {
                return;
              }
              if (!setting.perPhase()) {
                adoptForRun(setting, value);
              } else {
                settings.put(setting, value.value());
                if (setting == Setting.DURATION) {
                  settings.put(Setting.OPERATIONS, "");
                }
                if (setting == Setting.THREADS) {
                  ofLoad.putIfAbsent(setting, value.value());
                }
              }
            });
    List<String> notes = new ArrayList<>(file.workload().notes());
    addNote(notes, "applied: ", applied);
    addNote(notes, "replaced by the scenario's settings: ", replaced);
    return file.workload().withNotes(notes);
  }

  private static void addNote(List<String> notes, String title, List<String> items) {
    if (!items.isEmpty()) {
      notes.add(title + String.join(", ", items));
    }
  }

  private void adoptForRun(Setting setting, Located<String> value) {
    Located<String> first = ofRun.putIfAbsent(setting, value);
    if (first != null && !first.value().equals(value.value())) {
      value.report(
          "'%s' differs from '%s' in another file of the run; set '%s' in the scenario",
          value.value(), first.value(), setting.label());
    }
  }

  private static SortedMap<Setting, String> settings(YamlValue map) {
    SortedMap<Setting, String> result = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      String label = setting.label();
      if (setting.perPhase()) {
        setting.read(map.get(label)).ifPresent(value -> result.put(setting, value));
      } else if (map.has(label)) {
        map.misplaced(label).report("'%s' is for the whole run; move it to the top level", label);
      }
    }
    YamlValue operations = map.get(Setting.OPERATIONS.label());
    if (operations.isPresent() && map.has(Setting.DURATION.label())) {
      operations.report("'operations' and 'duration' exclude each other; keep one");
    } else if (result.containsKey(Setting.DURATION)) {
      // A phase's duration overrides the scenario's number of operations.
      result.put(Setting.OPERATIONS, "");
    }
    return result;
  }

  private boolean claim(String name, SourceLocation place) {
    if (!place.isName(name)) {
      return false;
    }
    SourceLocation first = names.putIfAbsent(name, place);
    if (first != null) {
      place.report(
          "phase '%s' is already on %s; rename one of them with 'as'", name, first.reference());
    }
    return first == null;
  }

  private static void checkLoad(Located<PhaseSpec> load, boolean second, boolean first) {
    String name = load.value().name();
    if (second) {
      load.report("'%s' is a second load; a run has one", name);
    } else if (!first) {
      load.report("'%s' is the load; it must be the first phase", name);
    }
    Set<Operation> operations = load.value().workload().operations();
    if (!operations.isEmpty() && !operations.equals(Set.of(Operation.INSERT))) {
      load.report("'%s' is the load; its only operation must be insert", name);
    }
  }

  /** Returns the sweep of a phase; empty if it has none or after a problem. */
  private static Optional<Sweep> sweep(
      YamlValue curve, YamlValue search, Workload workload, boolean load, boolean rated) {
    YamlValue stated = curve.or(search);
    if (stated.isPresent() && load) {
      return stated.report(NOT_FOR_LOADS);
    }
    if (stated.isPresent() && rated) {
      return stated.report("sets the rate; remove 'rate'");
    }
    if (stated.isPresent() && workload.mix().drain()) {
      return stated.report("does not apply to a workload that drains the store");
    }
    if (curve.isPresent() && search.isPresent()) {
      return search.report("'search' and 'curve' exclude each other; use two phases");
    }
    return curve.isPresent() ? curve(curve) : search(search, workload);
  }

  private static Optional<Sweep> curve(YamlValue value) {
    List<Sweep.Rate> rates =
        YamlValue.readAll(
            value.items("needs at least one rate"),
            item -> item.text().flatMap(text -> rate(text, item)));
    return rates.isEmpty() ? Optional.empty() : Optional.of(new Sweep.Curve(rates));
  }

  private static Optional<Sweep.Rate> rate(String text, YamlValue item) {
    Matcher percent = PERCENT.matcher(text);
    if (percent.matches()) {
      double share = Double.parseDouble(percent.group(1));
      return share > 0 && share <= 200
          ? Optional.of(new Sweep.Rate(share, true))
          : item.report("'%s' must be greater than 0%% and at most 200%%", text);
    }
    return text.equals(Pacing.UNLIMITED)
        ? item.report("'max' is not a point of a curve; write a number or a percentage")
        : Setting.RATE.read(item).map(rate -> new Sweep.Rate(Double.parseDouble(rate), false));
  }

  private static Optional<Sweep> search(YamlValue map, Workload workload) {
    YamlValue metric = map.required("metric");
    Optional<Duration> below =
        map.required("below")
            .parsed(
                "is not a latency; write a number and us, ms or s, such as 1ms",
                PhaseSpecReader::latency);
    if (metric.text().isEmpty()) {
      return Optional.empty();
    }
    String text = metric.text().get();
    int dot = text.lastIndexOf('.');
    Optional<Operation> operation = Operation.of(text.substring(0, Math.max(0, dot)));
    String statistic = text.substring(dot + 1);
    Optional<Metric> latency = Metrics.find(statistic).filter(Metrics.latencies()::contains);
    if (operation.isEmpty() || !workload.operations().contains(operation.get())) {
      return metric.report(
          "'%s' has no operation of this workload; write one of %s and a statistic, such as %s",
          text,
          workload.operations().stream().map(Operation::label).toList(),
          workload.mix().weights().firstKey().label() + ".p99");
    }
    List<String> valid = Metrics.latencies().stream().map(Metric::shortName).toList();
    metric.place().known("statistic", latency.map(Metric::shortName).orElse(statistic), valid);
    return latency.flatMap(l -> below.map(b -> new Sweep.Search(operation.get(), l, b)));
  }

  private static Optional<Duration> latency(String text) {
    return Optional.of(LATENCY.matcher(text))
        .filter(Matcher::matches)
        .map(
            match ->
                new BigDecimal(Unit.NANOSECONDS.factor(match.group(2)).orElseThrow())
                    .multiply(new BigDecimal(match.group(1))))
        .map(nanos -> Duration.ofNanos(nanos.longValue()))
        .filter(latency -> !latency.isZero());
  }
}
