package kvrank.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kvrank.workload.Workload;

/**
 * Reads YAML into validated values, or finds every problem in a file and in the files that it
 * names. Nothing is started.
 */
public final class ScenarioReader {

  private final Path home;
  private final List<Path> bindings;
  private final Consumer<Problem> notes;

  /**
   * Reads without a word about what should be written in another way.
   *
   * @param home the folder that holds {@code bindings/}, {@code workloads/} and {@code scenarios/}
   */
  public ScenarioReader(Path home) {
    this(home, List.of(), note -> {});
  }

  /**
   * @param more folders of engines beside {@code bindings/}, whose names come first; they need not
   *     exist
   * @param notes is told of what is right and should be written in another way
   */
  public ScenarioReader(Path home, List<Path> more, Consumer<Problem> notes) {
    this.home = home;
    this.bindings = Stream.concat(Stream.of(home.resolve("bindings")), more.stream()).toList();
    this.notes = notes;
  }

  /**
   * Reads a scenario.
   *
   * @param file the scenario, as the user named it
   * @param overrides {@code key=value} or {@code key=value,value}: replaces what the file says of a
   *     setting, {@code repetitions}, {@code seed}, {@code medium}, {@code data} or, of {@code
   *     verify}, the number of {@code crashes}
   * @param onlyEngines the labels of the engines to keep; empty for all
   * @throws InvalidInputException with every problem of the scenario, of its workloads and of its
   *     engines
   */
  public Scenario read(Path file, List<String> overrides, List<String> onlyEngines)
      throws InvalidInputException {
    Diagnostics reading = new Diagnostics(notes);
    return reading.result(scenario(reading, file, overrides, onlyEngines));
  }

  /** Reads a workload. */
  public Workload readWorkload(Path file) throws InvalidInputException {
    Diagnostics reading = new Diagnostics(notes);
    return reading.result(new DefinitionLoader(home, bindings, reading).workload(file, file));
  }

  /** Reads an {@code engine.yaml}. The engine is named after the folder that holds it. */
  public EngineDefinition readEngine(Path engineYaml) throws InvalidInputException {
    Diagnostics reading = new Diagnostics(notes);
    return reading.result(
        new DefinitionLoader(home, bindings, reading).engine(engineYaml, engineYaml));
  }

  /** Returns every engine of {@code bindings/}, by name. */
  public List<EngineDefinition> engines() throws InvalidInputException {
    Diagnostics reading = new Diagnostics(notes);
    DefinitionLoader library = new DefinitionLoader(home, bindings, reading);
    List<EngineDefinition> engines = new ArrayList<>();
    for (String name : library.engineNames()) {
      Path file = library.engineFile(name);
      library.engine(file, library.shown(file)).ifPresent(engines::add);
    }
    return reading.result(Optional.of(engines));
  }

  /** Returns the engine of that name, if there is one; no other file is read. */
  public Optional<EngineDefinition> engine(String name) throws InvalidInputException {
    Diagnostics reading = new Diagnostics(notes);
    DefinitionLoader library = new DefinitionLoader(home, bindings, reading);
    Path file = library.engineFile(name);
    return Files.exists(file)
        ? Optional.of(reading.result(library.engine(file, library.shown(file))))
        : Optional.empty();
  }

  /** Returns the keys that an override can have, sorted. */
  public static Set<String> overridable() {
    return Overrides.keys();
  }

  /** Returns the question or the description in a file, whichever it has; empty if it has none. */
  public Optional<String> headline(Path file) {
    Optional<YamlValue> root = YamlFile.open(new Diagnostics(notes), file, file);
    if (root.isEmpty() || !root.get().isMap()) {
      return Optional.empty();
    }
    YamlMap map = root.get().map();
    return map.get("question").or(map.get("description")).sentence();
  }

  /**
   * Returns every problem of a scenario, workload, table or {@code engine.yaml}, whichever it is.
   */
  public List<Problem> validate(Path file) {
    Diagnostics reading = new Diagnostics(notes);
    validate(reading, file);
    return reading.problems();
  }

  /** As {@link #validate(Path)}; {@code reading} also learns which keys exist. */
  void validate(Diagnostics reading, Path file) {
    Optional<YamlValue> found = YamlFile.open(reading, file, file);
    if (found.isEmpty()) {
      return;
    }
    YamlValue root = found.get();
    if (file.endsWith(DefinitionLoader.ENGINE_FILE) || root.has("binding")) {
      new DefinitionLoader(home, bindings, reading).engine(file, file);
    } else if (root.has("engines") || root.has("phases")) {
      scenario(reading, file, List.of(), List.of());
    } else if (root.has("operations")) {
      new DefinitionLoader(home, bindings, reading).workload(file, file);
    } else if (root.has("tables") || root.has("rows") || root.has("items")) {
      new TableReader(Optional.empty()).read(root);
    } else {
      root.report(
          "neither a scenario (with 'engines' and 'phases') nor a workload (with 'operations')"
              + " nor an engine (with 'binding') nor a table (with 'rows' or 'tables')");
    }
  }

  private Optional<Scenario> scenario(
      Diagnostics reading, Path file, List<String> overrides, List<String> onlyEngines) {
    reading.opened(file);
    Overrides set = new Overrides(reading, overrides);
    DefinitionLoader library = new DefinitionLoader(home, bindings, reading);
    return YamlFile.open(reading, file, file)
        .flatMap(
            root -> new ScenarioFileReader(reading, library, file, set, onlyEngines).read(root));
  }
}
