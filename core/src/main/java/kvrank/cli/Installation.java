package kvrank.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.input.Consent;
import kvrank.input.InvalidInputException;
import kvrank.input.Problem;
import kvrank.input.Suggestion;
import kvrank.results.ResultsDirectory;
import kvrank.scenario.NamedFiles;
import kvrank.scenario.NamedFiles.Kind;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.ScenarioWriter;

/** Where kvrank and its named files are, and the user's environment variables. */
record Installation(NamedFiles namedFiles, Map<String, String> environment) {

  /** The variable that lists folders of further engines. */
  static final String BINDINGS = "KVRANK_BINDINGS";

  /**
   * Returns the installation in the folder of the system property {@code kvrank.home}, by default
   * the working directory, with its build in {@code kvrank.built} and the bindings of {@code
   * KVRANK_BINDINGS}, by default {@code ~/.kvrank/bindings}.
   */
  static Installation locate(Map<String, String> environment) {
    String standard = System.getProperty("user.home") + "/.kvrank/bindings";
    String folders = environment.getOrDefault(BINDINGS, standard);
    List<Path> bindings =
        Stream.of(folders.split(File.pathSeparator, -1))
            .filter(folder -> !folder.isBlank())
            .map(folder -> Path.of(folder).toAbsolutePath().normalize())
            .toList();
    Path home = Path.of(System.getProperty("kvrank.home", "")).toAbsolutePath().normalize();
    String built = System.getProperty("kvrank.built", home.toString());
    return new Installation(new NamedFiles(home, Path.of(built), bindings), environment);
  }

  /** Returns the first folder of {@code KVRANK_BINDINGS} that does not exist. */
  Optional<Path> missingBindings() {
    return namedFiles.bindings().stream()
        .filter(folder -> environment.containsKey(BINDINGS) && !Files.isDirectory(folder))
        .findFirst();
  }

  ScenarioReader reader() {
    return reader(Consent.NONE);
  }

  ScenarioReader reader(Consent consent) {
    return new ScenarioReader(namedFiles, consent);
  }

  /** Returns the names of the scenarios; lists the folder only when iterated, for completion. */
  Iterable<String> scenarios() {
    return () -> namedFiles.names(Kind.SCENARIOS).iterator();
  }

  /** Returns the file of a name, which need not exist, as seen from the working directory. */
  Path file(Kind kind, String name) {
    return shorten(namedFiles.file(kind, name));
  }

  /** Returns the file of a scenario by its name or path; throws if there is none. */
  Path scenario(String nameOrPath) throws InvalidInputException {
    if (isPath(nameOrPath)) {
      return existing(nameOrPath);
    }
    Path shipped = file(Kind.SCENARIOS, nameOrPath);
    if (!Files.exists(shipped)) {
      List<String> names = namedFiles.names(Kind.SCENARIOS);
      throw missing(nameOrPath, "no such scenario" + Suggestion.of(nameOrPath, names));
    }
    return shipped;
  }

  /** Returns the resolved text of a shipped scenario; adds the reason if it cannot be read. */
  Optional<String> shipped(String name, List<Problem> problems) {
    if (!namedFiles.names(Kind.SCENARIOS).contains(name)) {
      return Optional.empty();
    }
    try {
      Path file = file(Kind.SCENARIOS, name);
      return Optional.of(new ScenarioWriter().write(reader().read(file, List.of(), List.of())));
    } catch (InvalidInputException e) {
      problems.addAll(e.problems());
      return Optional.empty();
    }
  }

  /** Returns an engine that kvrank ships; empty if it has none of this name that can be read. */
  Optional<EngineDefinition> shippedEngine(String name) {
    boolean shipped =
        namedFiles.names(Kind.ENGINES).contains(name)
            && namedFiles.file(Kind.ENGINES, name).startsWith(namedFiles.home());
    try {
      return shipped ? reader().engine(name) : Optional.empty();
    } catch (InvalidInputException e) {
      return Optional.empty();
    }
  }

  /** Returns the files of any kind with a name or path; throws if there is none. */
  List<Path> files(String nameOrPath) throws InvalidInputException {
    if (isPath(nameOrPath)) {
      return List.of(existing(nameOrPath));
    }
    List<Path> files =
        Stream.of(Kind.values()).map(kind -> file(kind, nameOrPath)).filter(Files::exists).toList();
    if (files.isEmpty()) {
      List<String> names =
          Stream.of(Kind.values()).flatMap(kind -> namedFiles.names(kind).stream()).toList();
      throw missing(
          nameOrPath,
          "no such file, and no scenario, workload, engine or table of that name; "
              + Suggestion.nearest(nameOrPath, names)
                  .map(name -> "did you mean '" + name + "'?")
                  .orElse("'kvrank list' lists them"));
    }
    return files;
  }

  /** Returns the newest results of a scenario, or of all for {@code latest}; else the path. */
  Path results(String nameOrPath) {
    if (nameOrPath.equals("latest") && Files.isDirectory(Path.of("results"))) {
      try (Stream<Path> scenarios = Files.list(Path.of("results"))) {
        return scenarios
            .map(scenario -> ResultsDirectory.at(scenario.resolve(nameOrPath)).path())
            .filter(Files::isDirectory)
            .max(Comparator.comparing(Path::getFileName))
            .orElse(Path.of(nameOrPath));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    for (String folder : List.of(nameOrPath, "results/" + nameOrPath)) {
      Path latest = Path.of(folder, "latest");
      if (Files.isDirectory(latest)) {
        return latest;
      }
    }
    return Path.of(nameOrPath);
  }

  /** Returns all results in the folder of a name or path, the oldest first; else the path. */
  List<ResultsDirectory> executions(String nameOrPath) throws IOException {
    for (Path folder : List.of(Path.of(nameOrPath), Path.of("results", nameOrPath))) {
      if (Files.isDirectory(folder) && !Files.exists(folder.resolve("plan.json"))) {
        List<Path> below = ResultsDirectory.in(folder);
        if (!below.isEmpty()) {
          return below.stream().map(ResultsDirectory::at).toList();
        }
      }
    }
    return List.of(ResultsDirectory.at(Path.of(nameOrPath)));
  }

  private static boolean isPath(String nameOrPath) {
    return nameOrPath.contains("/") || nameOrPath.matches(".*\\.ya?ml");
  }

  private static Path existing(String path) throws InvalidInputException {
    if (!Files.exists(Path.of(path))) {
      throw missing(path, "no such file");
    }
    return Path.of(path);
  }

  private static InvalidInputException missing(String path, String message) {
    return new InvalidInputException(List.of(new Problem(Path.of(path), 0, 0, "", message, "")));
  }

  /** Returns {@code path} relative to the working directory if it is below that. */
  static Path shorten(Path path) {
    Path here = Path.of("").toAbsolutePath();
    return path.startsWith(here) ? here.relativize(path) : path;
  }
}
