package kvrank.scenario.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.input.Consent;
import kvrank.input.Diagnostics;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.TrustedPath;
import kvrank.input.YamlFile;
import kvrank.input.YamlValue;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.Scenario;

/**
 * Reads YAML files into validated values, or reports every problem of a file and of the files that
 * it names.
 */
public final class ScenarioReader {

  private final NamedFiles namedFiles;
  private final Consent consent;

  /** Creates a reader of trusted scenarios. */
  public ScenarioReader(Path home) {
    this(new NamedFiles(home, List.of()), new Consent(Set.of(), programs -> true));
  }

  /** Creates a reader that refuses programs and secrets without {@code consent}. */
  public ScenarioReader(NamedFiles namedFiles, Consent consent) {
    this.namedFiles = namedFiles;
    this.consent = consent;
  }

  /**
   * Reads a scenario.
   *
   * @param file the scenario, as the user named it
   * @param overrides {@code key=value} or {@code key=value,value}, with one of {@link
   *     #overridable()}
   * @param onlyEngines the names of the engines to keep; empty for all
   * @throws InvalidInputException with every problem of the scenario, its workloads and its engines
   */
  public Scenario read(Path file, List<String> overrides, List<String> onlyEngines)
      throws InvalidInputException {
    return read(file, overrides, onlyEngines, List.of());
  }

  /**
   * As {@link #read(Path, List, List)}.
   *
   * @param properties {@code key=value} for the YCSB files of the scenario
   */
  public Scenario read(
      Path file, List<String> overrides, List<String> onlyEngines, List<String> properties)
      throws InvalidInputException {
    DefinitionLoader library = new DefinitionLoader(namedFiles, new Diagnostics(), properties);
    Optional<Scenario> scenario = scenario(library, file, overrides, onlyEngines);
    library.requirePropertiesUsed();
    library.reading().requireSecrets(consent);
    if (!shipped(file)) {
      library.reading().requirePrograms(consent);
    }
    return library.reading().result(scenario);
  }

  /** Returns whether a scenario that was read is kvrank's own, as no one could replace the path. */
  private boolean shipped(Path file) {
    try {
      return TrustedPath.problem(file).isEmpty()
          && file.toRealPath().startsWith(namedFiles.folders(Kind.SCENARIOS).get(0).toRealPath());
    } catch (IOException e) {
      return false; // one of them does not exist
    }
  }

  /**
   * Returns {@code scenario} with two rows of each engine, {@code NAME-base} and {@code NAME-head}.
   *
   * @param base folders of engines, checkouts of kvrank, {@code ENGINE=EXECUTABLE} or {@code
   *     ENGINE=IMAGE}; without one, an engine is kvrank's own
   * @throws InvalidInputException if a value fits no engine
   */
  public Scenario interleaved(Scenario scenario, List<String> base, List<String> head)
      throws InvalidInputException {
    return new BaseAndHead(this, scenario).rows(base, head);
  }

  /** Reads an {@code engine.yaml}; its folder gives the engine its name. */
  public EngineDefinition readEngine(Path engineYaml) throws InvalidInputException {
    return result(library -> library.engine(engineYaml, engineYaml));
  }

  /** Returns the engine with this name, if there is one; reads no other file. */
  public Optional<EngineDefinition> engine(String name) throws InvalidInputException {
    return Files.exists(namedFiles.file(Kind.ENGINES, name))
        ? Optional.of(result(library -> library.engine(name)))
        : Optional.empty();
  }

  private <T> T result(Function<DefinitionLoader, Optional<T>> read) throws InvalidInputException {
    DefinitionLoader library = new DefinitionLoader(namedFiles, new Diagnostics());
    return library.reading().result(read.apply(library));
  }

  /** Returns the keys of overrides, sorted. */
  public static Set<String> overridable() {
    return Overrides.keys();
  }

  /** Returns the question or the description in a file; empty if it has neither. */
  public Optional<String> headline(Path file) {
    Optional<YamlValue> root = YamlFile.open(new Diagnostics(), file, file);
    return root.filter(YamlValue::isMap)
        .flatMap(map -> map.get("question").or(map.get("description")).sentence());
  }

  /**
   * Returns a sentence on a setting of the scenario {@code file} that {@code overrides} replace by
   * another; empty if there is none.
   */
  public Optional<String> replaced(Path file, List<String> overrides) {
    SettingsReader settings = new SettingsReader(new Overrides(new Diagnostics(), overrides));
    return YamlFile.open(new Diagnostics(), file, file)
        .filter(YamlValue::isMap)
        .flatMap(settings::alternative);
  }

  /** Returns every problem of a scenario, workload, table or {@code engine.yaml}. */
  public List<Problem> validate(Path file) {
    Diagnostics reading = new Diagnostics();
    validate(reading, file);
    return reading.problems();
  }

  /** As {@link #validate(Path)}; {@code reading} also collects the keys of all maps. */
  void validate(Diagnostics reading, Path file) {
    Optional<YamlValue> opened = YamlFile.open(reading, file, file);
    if (opened.isEmpty()) {
      return;
    }
    YamlValue root = opened.get();
    DefinitionLoader library = new DefinitionLoader(namedFiles, reading);
    if (file.endsWith("engine.yaml") || root.has("binding")) {
      library.engine(file, file);
    } else if (root.has("engines") || root.has("phases")) {
      scenario(library, file, List.of(), List.of());
    } else if (root.has("operations") || root.has("transaction")) {
      library.workload(file, file);
    } else if (Stream.of("tables", "rows", "items", "charts").anyMatch(root::has)) {
      new TableReader(Optional.empty()).read(root);
    } else {
      root.report(
          "neither a scenario (with 'engines' and 'phases') nor a workload (with 'operations')"
              + " nor an engine (with 'binding') nor a table (with 'rows' or 'tables')");
    }
  }

  private static Optional<Scenario> scenario(
      DefinitionLoader library, Path file, List<String> overrides, List<String> onlyEngines) {
    library.reading().opened(file);
    ScenarioFileReader reader =
        new ScenarioFileReader(
            library, file, new Overrides(library.reading(), overrides), onlyEngines);
    return YamlFile.open(library.reading(), file, file).flatMap(root -> root.ifMap(reader::read));
  }
}
