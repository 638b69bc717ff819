package kvrank.scenario.read;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.engine.Fsync;
import kvrank.input.Located;
import kvrank.input.SourceLocation;
import kvrank.input.YamlValue;
import kvrank.scenario.CpuList;
import kvrank.scenario.CrashTest;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.FactorPoints;
import kvrank.scenario.Isolation;
import kvrank.scenario.Medium;
import kvrank.scenario.PhaseSpec;
import kvrank.scenario.Repetitions;
import kvrank.scenario.Scenario;
import kvrank.scenario.Setting;
import kvrank.scenario.Shapes;
import kvrank.table.TableRequest;
import kvrank.workload.trace.Replay;

/** Reads one scenario; {@code only} has the names of the engines to keep, or is empty for all. */
record ScenarioFileReader(
    DefinitionLoader library, Path file, Overrides overrides, List<String> only) {

  private static final int MAX_COPIES = 12;

  /** More would run for over a year. */
  private static final int MAX_RUNS = 100_000;

  private static final long DEFAULT_SEED = 42;

  Scenario read(YamlValue map) {
    String name = map.get("name").name().orElse(DefinitionLoader.baseName(file));
    String question = map.required("question").sentence().orElse("");
    Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of(""));
    int copies = map.get("copies").integer(1, MAX_COPIES).orElse(1L).intValue();
    EngineSpecReader engineReader = new EngineSpecReader(library, copies, only);
    List<EngineSpec> engines = engineReader.read(map.required("engines"));
    SourceLocation option = SourceLocation.of(library.reading(), Path.of("--engines"), List.of());
    only.forEach(label -> option.has(file + " has no engine", label, engineReader.entries()));
    SettingsReader settings = new SettingsReader(overrides);
    SortedMap<Setting, Located<List<String>>> stated = settings.read(map);
    PhaseSpecReader phaseReader = new PhaseSpecReader(library, folder, stated.keySet());
    List<Located<PhaseSpec>> located = phaseReader.read(map.required("phases"));
    phaseReader
        .settingsOfRun()
        .forEach(
            (setting, value) ->
                stated.put(setting, new Located<>(List.of(value.value()), value.place())));
    List<PhaseSpec> phases = located.stream().map(Located::value).toList();
    located.stream()
        .filter(phase -> phase.value().workload().trace().isPresent())
        .findFirst()
        .ifPresent(phase -> ofTrace(phase, stated));
    YamlValue storage = map.get("storage");
    Medium medium =
        overrides.in(storage, "medium").choice("medium", Medium.class).orElse(Medium.ANY);
    Optional<CrashTest> crashTest = settings.crashTest(stated);
    long seed =
        overrides.in(map, "seed").integer(Long.MIN_VALUE, Long.MAX_VALUE).orElse(DEFAULT_SEED);
    boolean shared = engines.stream().anyMatch(EngineSpec::shares);
    new CrossFieldChecks(
            located,
            new StatedSettings(map.place(), stated),
            shared ? Shapes.prefix(name, seed) : "")
        .check(medium, crashTest.isPresent());
    SortedMap<Setting, List<String>> factors = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      // A number of operations replaces the duration.
      boolean none = setting == Setting.DURATION && stated.containsKey(Setting.OPERATIONS);
      List<String> defaults = List.of(none ? "" : setting.defaultValue());
      factors.put(setting, stated.containsKey(setting) ? stated.get(setting).value() : defaults);
    }
    Repetitions repetitions = RepetitionsReader.read(map, engineReader.rows(), overrides);
    double runs = FactorPoints.count(factors) * engines.size() * repetitions.atMost();
    if (runs > MAX_RUNS) {
      map.report(
          "engines, factors and repetitions make %,.0f runs; at most %,d are allowed",
          runs, MAX_RUNS);
    }
    List<String> kept = engines.stream().map(EngineSpec::label).toList();
    ExpectationReader expectations =
        new ExpectationReader(engineReader.rows(), phases, factors, overrides);
    return new Scenario(
        name,
        question,
        file,
        engines,
        phases,
        factors,
        medium,
        path(overrides.in(storage, "data")),
        isolation(map.get("isolation")),
        YamlValue.readAll(map.get("prepare").items(), ScenarioFileReader::command),
        repetitions,
        seed,
        overrides.in(map, "order-seed").integer(Long.MIN_VALUE, Long.MAX_VALUE),
        crashTest,
        tables(
            map,
            folder,
            new TableReader.Names(
                phases.stream().map(PhaseSpec::name).toList(),
                engineReader.rows(),
                map.has("order-seed") ? Map.of() : values(factors, settings))),
        expectations.read(map.get("expect"), kept),
        expectations.preference(map.get("prefer")));
  }

  /** Reports settings that a trace decides, and sets the number of its records. */
  private static void ofTrace(
      Located<PhaseSpec> phase, SortedMap<Setting, Located<List<String>>> stated) {
    Replay replay = phase.value().workload().trace().orElseThrow();
    SortedMap<Setting, String> refused = new TreeMap<>();
    for (Setting setting : TracePhaseReader.DECIDED) {
      refused.put(
          setting,
          "the trace decides its requests, their times and its end; put 'warmup', 'duration' and"
              + " 'operations' into its phase");
    }
    refused.put(Setting.RECORDS, "the trace has its own records: " + TracePhaseReader.NO_FOLDING);
    refused.put(Setting.VALUE_BYTES, "the trace has the lengths of its values; remove it");
    refused.keySet().retainAll(stated.keySet());
    refused.forEach((setting, why) -> stated.get(setting).report(why));
    stated.put(
        Setting.RECORDS, new Located<>(List.of(Long.toString(replay.records())), phase.place()));
  }

  /**
   * Returns the values that results may have, of settings that the command line does not replace.
   * In a resolved scenario, which has an order seed, it may have replaced any.
   */
  private static Map<Setting, Set<String>> values(
      SortedMap<Setting, List<String>> factors, SettingsReader settings) {
    Map<Setting, Set<String>> values = new EnumMap<>(Setting.class);
    factors.forEach((setting, stated) -> values.put(setting, new LinkedHashSet<>(stated)));
    values.values().forEach(each -> each.remove(""));
    values.get(Setting.FSYNC).add(Fsync.NONE.label()); // of engines without a log
    values.keySet().removeIf(settings::replaced);
    return values;
  }

  private List<TableRequest> tables(YamlValue map, Path folder, TableReader.Names names) {
    return YamlValue.readAll(map.get("tables").items(), item -> library.table(item, folder, names));
  }

  private static Optional<Path> path(YamlValue value) {
    Optional<String> text = value.sentence();
    try {
      return text.map(Path::of);
    } catch (InvalidPathException e) {
      return value.report("'%s' is not a path: %s", text.orElseThrow(), e.getReason());
    }
  }

  private static Optional<String> command(YamlValue value) {
    Optional<String> command = value.sentence();
    command.ifPresent(text -> value.place().reading().starts(value.place(), text));
    return command;
  }

  private static Isolation isolation(YamlValue value) {
    Isolation automatic = new Isolation.Automatic();
    if (!value.isMap()) {
      return value
          .choice("isolation", Map.of("automatic", automatic, "none", new Isolation.None()))
          .orElse(automatic);
    }
    Optional<CpuList> client = cpus(value.required("client-cpus"));
    Optional<CpuList> server = cpus(value.required("server-cpus"));
    if (client.isEmpty() || server.isEmpty()) {
      return automatic;
    }
    NavigableSet<Integer> both = new TreeSet<>(client.get().numbers());
    both.retainAll(server.get().numbers());
    if (!both.isEmpty()) {
      value
          .get("server-cpus")
          .report("'%s' is also in client-cpus; use disjoint sets", new CpuList(both).label());
    }
    return new Isolation.Sets(client.get(), server.get());
  }

  private static Optional<CpuList> cpus(YamlValue value) {
    return value.parsed("is not a list of CPUs; write one such as 0-3,8", CpuList::parse);
  }
}
