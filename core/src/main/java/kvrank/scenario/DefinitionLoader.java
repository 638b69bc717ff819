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

  /**
   * Returns the file that {@code reference} names: by its path, or as a {@code noun} of kvrank's
   * home.
   */
  private Optional<Path> file(YamlValue reference, String noun, Path folder) {
    return reference
        .text()
        .flatMap(
            name -> {
              boolean path = isPath(name);
              Path shelf = home.resolve(noun + "s");
              Path file = path ? folder.resolve(name) : shelf.resolve(name + ENDING);
              if (Files.isRegularFile(file)) {
                return Optional.of(file);
              }
              reference.report(
                  path
                      ? "no file '" + file + "'"
                      : "no %s '%s' in %ss/%s"
                          .formatted(noun, name, noun, Suggestion.of(name, names(shelf))));
              return Optional.empty();
            });
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
    return file(reference, "table", folder)
        .flatMap(file -> YamlFile.open(reading, file, shown(file)))
        .map(
            root -> {
              String name = reference.text().orElseThrow();
              boolean shelf = !isPath(name);
              new TableReader(Optional.of(names).filter(any -> !shelf)).read(root);
              boolean shipped = shelf && ShippedTables.named(name).isPresent();
              return TableRequest.of(shipped ? name : root.tree());
            });
  }

  Optional<Workload> workload(Path file, Path shown) {
    if (!workloads.containsKey(file)) {
      workloads.put(
          file,
          YamlFile.open(reading, file, shown)
              .flatMap(root -> new WorkloadReader(baseName(file)).read(root)));
    }
    return workloads.get(file);
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
        .flatMap(
            name -> {
              Path file = folder.resolve(name);
              if (!Files.isRegularFile(file)) {
                reference.report("no file '" + file + "'");
                return Optional.empty();
              }
              return new YcsbWorkloadReader(reading, file).read(classpath);
            });
  }

  /** Returns the engine that {@code reference} names. */
  Optional<EngineDefinition> engine(YamlValue reference) {
    return reference
        .text()
        .flatMap(
            name -> {
              Path file = engineFile(name);
              if (Files.isRegularFile(file)) {
                return engine(file, shown(file));
              }
              reference.report(
                  "no engine '%s' in bindings/%s"
                      .formatted(name, Suggestion.of(name, engineNames())));
              return Optional.empty();
            });
  }

  Optional<EngineDefinition> engine(Path file, Path shown) {
    if (!engines.containsKey(file)) {
      engines.put(
          file,
          YamlFile.open(reading, file, shown)
              .flatMap(
                  root ->
                      new EngineReader(file.toAbsolutePath().getParent(), bindings).read(root)));
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

  Path workloadFile(String name) {
    return home.resolve("workloads").resolve(name + ENDING);
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

  private static List<String> names(Path folder) {
    return list(folder)
        .filter(file -> file.toString().endsWith(ENDING))
        .map(DefinitionLoader::baseName)
        .sorted()
        .toList();
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
