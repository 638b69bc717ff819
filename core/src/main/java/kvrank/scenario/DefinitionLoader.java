package kvrank.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.workload.Workload;

/** The workloads and engines that there are, by name; each file is read once. */
final class DefinitionLoader {

  static final String ENGINE_FILE = "engine.yaml";
  private static final String ENDING = ".yaml";

  private final Path home;
  private final List<Path> bindings;
  private final Diagnostics reading;
  private final Map<Path, Optional<Workload>> workloads = new HashMap<>();
  private final Map<Path, Optional<EngineDefinition>> engines = new HashMap<>();

  /**
   * @param bindings the folders that hold those of engines; the first one that has a name is meant
   */
  DefinitionLoader(Path home, List<Path> bindings, Diagnostics reading) {
    this.home = home;
    this.bindings = List.copyOf(bindings);
    this.reading = reading;
  }

  /**
   * Returns the workload that {@code reference} names: one of {@code workloads/}, or a file.
   *
   * @param folder what the path of a file is relative to
   */
  Optional<Workload> workload(YamlValue reference, Path folder) {
    return file(reference, "workload", folder).flatMap(file -> workload(file, shown(file)));
  }

  /** Returns the workload of {@code workloads/} that has {@code name}. */
  Optional<Workload> workload(String name) {
    Path file = home.resolve("workloads").resolve(name + ENDING);
    return workload(file, shown(file));
  }

  Optional<Workload> workload(Path file, Path shown) {
    if (!workloads.containsKey(file)) {
      workloads.put(
          file,
          YamlFile.open(reading, file, shown)
              .flatMap(root -> WorkloadReader.read(root, baseName(file))));
    }
    return workloads.get(file);
  }

  /**
   * Returns the file that {@code reference} names: by its path, or as a {@code noun} of kvrank's
   * home.
   */
  private Optional<Path> file(YamlValue reference, String noun, Path folder) {
    Optional<String> name = reference.text();
    if (name.isEmpty() || isPath(name.get())) {
      return name.flatMap(path -> existing(reference, folder.resolve(path)));
    }
    Path shelf = home.resolve(noun + "s");
    Path file = shelf.resolve(name.get() + ENDING);
    if (Files.isRegularFile(file)) {
      return Optional.of(file);
    }
    List<String> names =
        list(shelf)
            .filter(each -> each.toString().endsWith(ENDING))
            .map(DefinitionLoader::baseName)
            .sorted()
            .toList();
    reference.report(
        "no %s '%s' in %ss/%s", noun, name.get(), noun, Suggestion.of(name.get(), names));
    return Optional.empty();
  }

  private static Optional<Path> existing(YamlValue reference, Path file) {
    if (!Files.isRegularFile(file)) {
      reference.report("no file '" + file + "'");
      return Optional.empty();
    }
    return Optional.of(file);
  }

  private static boolean isPath(String name) {
    return name.contains("/") || name.endsWith(ENDING);
  }

  /**
   * Returns the table that {@code reference} is or names: a table of its own, one of {@code
   * tables/}, or a file.
   *
   * @param folder what the path of a file is relative to
   * @param names the phases and engines of the scenario: what a table can name that is made for it.
   *     One of {@code tables/} is for any scenario, and what it names need not be in this one
   */
  Optional<TableRequest> table(YamlValue reference, Path folder, TableReader.Names names) {
    if (reference.isMap()) {
      new TableReader(Optional.of(names)).read(reference);
      return Optional.of(TableRequest.of(reference.tree()));
    }
    Optional<YamlValue> root =
        file(reference, "table", folder).flatMap(file -> YamlFile.open(reading, file, shown(file)));
    if (root.isEmpty()) {
      return Optional.empty();
    }
    String name = reference.text().orElseThrow();
    boolean shelf = !isPath(name);
    new TableReader(shelf ? Optional.empty() : Optional.of(names)).read(root.get());
    boolean shipped = shelf && TableRequest.shipped(name).isPresent();
    return Optional.of(TableRequest.of(shipped ? name : root.get().tree()));
  }

  /**
   * Returns the property file of YCSB that {@code reference} names, by its path from {@code
   * folder}.
   *
   * @param classpath where the workload's class is, if the file names one of its own
   */
  Optional<Workload> ycsbWorkload(YamlValue reference, Path folder, List<Path> classpath) {
    return reference
        .text()
        .flatMap(name -> existing(reference, folder.resolve(name)))
        .flatMap(file -> new YcsbWorkloadReader(reading, file).read(classpath));
  }

  /** Returns the engine that {@code reference} names. */
  Optional<EngineDefinition> engine(YamlValue reference) {
    Optional<String> name = reference.text();
    if (name.isPresent() && !Files.isRegularFile(engineFile(name.get()))) {
      reference.report(
          "no engine '%s' in bindings/%s", name.get(), Suggestion.of(name.get(), engineNames()));
      return Optional.empty();
    }
    return name.map(this::engineFile).flatMap(file -> engine(file, shown(file)));
  }

  Optional<EngineDefinition> engine(Path file, Path shown) {
    if (!engines.containsKey(file)) {
      EngineReader reader = new EngineReader(file.toAbsolutePath().getParent(), bindings);
      engines.put(file, YamlFile.open(reading, file, shown).flatMap(reader::read));
    }
    return engines.get(file);
  }

  /** Returns the name of each folder that has an {@code engine.yaml}, sorted. */
  List<String> engineNames() {
    return bindings.stream()
        .flatMap(DefinitionLoader::list)
        .filter(folder -> Files.isRegularFile(folder.resolve(ENGINE_FILE)))
        .map(folder -> folder.getFileName().toString())
        .distinct()
        .sorted()
        .toList();
  }

  Path engineFile(String name) {
    return bindings.stream()
        .map(folder -> folder.resolve(name).resolve(ENGINE_FILE))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseGet(() -> home.resolve("bindings").resolve(name).resolve(ENGINE_FILE));
  }

  /** Returns how {@code file} is named to the user: one of kvrank's home by its path in there. */
  Path shown(Path file) {
    return file.startsWith(home) ? home.relativize(file) : file;
  }

  /** Returns the file's name without its ending. */
  static String baseName(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private static Stream<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }
}
