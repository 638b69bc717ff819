package kvrank.scenario;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads one scenario, with what the command line changes. */
final class ScenarioFileReader {

  private static final long DEFAULT_REPETITIONS = 3;
  private static final long DEFAULT_SEED = 42;

  private static final Map<String, Medium> MEDIA =
      Arrays.stream(Medium.values())
          .collect(Collectors.toUnmodifiableMap(Medium::label, medium -> medium));

  private final Diagnostics reading;
  private final DefinitionLoader library;
  private final Path file;
  private final Overrides overrides;
  private final List<String> only;

  ScenarioFileReader(
      Diagnostics reading,
      DefinitionLoader library,
      Path file,
      Overrides overrides,
      List<String> only) {
    this.reading = reading;
    this.library = library;
    this.file = file;
    this.overrides = overrides;
    this.only = List.copyOf(only);
  }

  Optional<Scenario> read(YamlValue root) {
    return root.section(this::scenario);
  }

  private record Storage(Medium medium, Optional<Path> data) {}

  private Scenario scenario(YamlMap section) {
    String name =
        section.optional("name").flatMap(YamlValue::name).orElse(DefinitionLoader.baseName(file));
    String question = section.required("question").flatMap(YamlValue::sentence).orElse("");
    EngineSpecReader engineReader = new EngineSpecReader(library, only);
    List<EngineSpec> engines =
        section.required("engines").map(engineReader::read).orElse(List.of());
    checkOnly(engineReader);
    SortedMap<Setting, Located<List<String>>> stated = new SettingsReader(overrides).read(section);
    Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of(""));
    List<Located<PhaseSpec>> phases =
        section
            .required("phases")
            .map(element -> new PhaseSpecReader(library, folder).read(element))
            .orElse(List.of());
    Storage storage = storage(section.optional("storage"));
    int crashes = crashes(section, stated);
    new CrossFieldChecks(section.place(), phases, stated, crashes > 0).check(storage.medium());
    List<PhaseSpec> specs = phases.stream().map(Located::value).toList();
    SortedMap<Setting, List<String>> factors = withDefaults(stated);
    Set<String> kept = engines.stream().map(EngineSpec::label).collect(Collectors.toSet());
    ExpectationReader expectations =
        new ExpectationReader(engineReader.labels(), kept, specs, factors, overrides);
    return new Scenario(
        name,
        question,
        file,
        engines,
        specs,
        factors,
        new MachineSpec(
            storage.medium(),
            storage.data(),
            section
                .optional("isolation")
                .flatMap(IsolationReader::read)
                .orElseGet(Isolation.Automatic::new)),
        new Replication(
            integer(section, "repetitions", 1, 1_000).orElse(DEFAULT_REPETITIONS).intValue(),
            integer(section, "seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(DEFAULT_SEED),
            crashes),
        tables(section, folder, new TableReader.Names(phaseNames(specs), engineReader.labels())),
        section.optional("expect").map(expectations::read).orElse(List.of()));
  }

  private static List<String> phaseNames(List<PhaseSpec> phases) {
    return phases.stream().map(PhaseSpec::name).toList();
  }

  /** Returns the tables; {@code table: NAME} is how 0.1.0 named the only one. */
  private List<TableRequest> tables(YamlMap section, Path folder, TableReader.Names names) {
    boolean single = section.has("table");
    return section
        .optional("tables", "table")
        .map(element -> single && !element.isList() ? List.of(element) : element.items())
        .stream()
        .flatMap(List::stream)
        .flatMap(element -> library.table(element, folder, names).stream())
        .toList();
  }

  /** Returns how often the engine is killed after each run. */
  private int crashes(YamlMap section, SortedMap<Setting, Located<List<String>>> stated) {
    Optional<YamlValue> option = overrides.get("crashes");
    if (option.isPresent()) {
      if (stated.containsKey(Setting.VERIFY) && stated.get(Setting.VERIFY).value().size() > 1) {
        option
            .get()
            .report("'verify' is a factor, so there can be no crash test; set verify=crash too");
      }
      return option.get().integer(1, Verification.MOST_CRASHES).orElse(0L).intValue();
    }
    return overridden(Setting.VERIFY.label(), section.optional(Setting.VERIFY.label()))
        .filter(element -> !element.isList())
        .flatMap(Verification::read)
        .map(Verification::crashes)
        .orElse(0);
  }

  private Storage storage(Optional<YamlValue> element) {
    Optional<YamlValue> fileMedium = Optional.empty();
    Optional<YamlValue> fileData = Optional.empty();
    if (element.isPresent()) {
      List<Optional<YamlValue>> keys =
          element
              .get()
              .section(s -> List.of(s.optional("medium"), s.optional("data")))
              .orElse(List.of(Optional.empty(), Optional.empty()));
      fileMedium = keys.get(0);
      fileData = keys.get(1);
    }
    return new Storage(
        overridden("medium", fileMedium)
            .flatMap(medium -> medium.choice("medium", MEDIA))
            .orElse(Medium.ANY),
        overridden("data", fileData).flatMap(ScenarioFileReader::path));
  }

  private static Optional<Path> path(YamlValue element) {
    Optional<String> text = element.sentence();
    try {
      return text.map(Path::of);
    } catch (InvalidPathException e) {
      element.report("'" + text.orElseThrow() + "' is not a path: " + e.getReason());
      return Optional.empty();
    }
  }

  private Optional<Long> integer(YamlMap section, String key, long least, long most) {
    return overridden(key, section.optional(key)).flatMap(e -> e.integer(least, most));
  }

  private Optional<YamlValue> overridden(String key, Optional<YamlValue> inFile) {
    return overrides.get(key).or(() -> inFile);
  }

  private void checkOnly(EngineSpecReader engines) {
    for (String label : only) {
      if (!engines.labels().contains(label)) {
        SourceLocation.of(reading, Source.of(Path.of("--engines")))
            .report(
                "%s has no engine '%s'%s"
                    .formatted(file, label, Suggestion.of(label, engines.labels())));
      }
    }
  }

  private static SortedMap<Setting, List<String>> withDefaults(
      SortedMap<Setting, Located<List<String>>> stated) {
    SortedMap<Setting, List<String>> result = new TreeMap<>();
    for (Setting setting : Setting.values()) {
      result.put(
          setting,
          stated.containsKey(setting)
              ? stated.get(setting).value()
              : List.of(setting.defaultValue()));
    }
    return result;
  }
}
