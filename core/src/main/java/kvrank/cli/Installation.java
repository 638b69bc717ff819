package kvrank.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kvrank.scenario.InvalidInputException;
import kvrank.scenario.Problem;
import kvrank.scenario.ScenarioReader;
import kvrank.scenario.Suggestion;

/**
 * Where kvrank's files are, and which of them a name stands for.
 *
 * @param home the folder that holds {@code bindings/}, {@code workloads/}, {@code scenarios/} and
 *     {@code tables/}
 * @param bindings further folders of engines; they need not exist
 */
record Installation(Path home, List<Path> bindings) {

  /** Scenarios that have another name now. */
  private static final Map<String, String> RENAMED = Map.of("kill", "crash-test");

  Installation {
    bindings = List.copyOf(bindings);
  }

  /** A kind of file, each in a folder of its own. */
  enum Kind {
    SCENARIOS("scenarios", ".yaml"),
    WORKLOADS("workloads", ".yaml"),
    ENGINES("bindings", "/engine.yaml"),
    TABLES("tables", ".yaml");

    private final String folder;
    private final String ending;

    Kind(String folder, String ending) {
      this.folder = folder;
      this.ending = ending;
    }

    /** Returns the name of this kind, as users write it. */
    String label() {
      return this == ENGINES ? "engines" : folder;
    }
  }

  /**
   * Returns the folder that the system property {@code kvrank.home} names, or the working
   * directory; with the bindings of {@code KVRANK_BINDINGS}, folders as in {@code PATH}, or else of
   * {@code ~/.kvrank/bindings}.
   */
  static Installation locate(Map<String, String> environment) {
    String own = Path.of(System.getProperty("user.home"), ".kvrank", "bindings").toString();
    return new Installation(
        Path.of(System.getProperty("kvrank.home", "")).toAbsolutePath().normalize(),
        Stream.of(environment.getOrDefault("KVRANK_BINDINGS", own).split(File.pathSeparator))
            .filter(folder -> !folder.isBlank())
            .map(folder -> Path.of(folder).toAbsolutePath().normalize())
            .toList());
  }

  /** Reads what is here. */
  ScenarioReader reader() {
    return reader(note -> {});
  }

  /**
   * Reads what is here.
   *
   * @param notes is told of what is right and should be written in another way
   */
  ScenarioReader reader(Consumer<Problem> notes) {
    return new ScenarioReader(home, bindings, notes);
  }

  private List<Path> folders(Kind kind) {
    Stream<Path> more = kind == Kind.ENGINES ? bindings.stream() : Stream.empty();
    return Stream.concat(Stream.of(home.resolve(kind.folder)), more).toList();
  }

  /** Returns the names of all files of {@code kind}, sorted. */
  List<String> names(Kind kind) {
    Set<String> names = new TreeSet<>();
    for (Path folder : folders(kind)) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          files
              .map(file -> file.getFileName().toString().replaceFirst("\\.yaml$", ""))
              .filter(name -> Files.isRegularFile(file(kind, name)))
              .forEach(names::add);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return List.copyOf(names);
  }

  /**
   * Returns the file of {@code kind} with that name, from the working directory; it need not exist.
   */
  Path file(Kind kind, String name) {
    List<Path> files =
        folders(kind).stream().map(folder -> folder.resolve(name + kind.ending)).toList();
    return shorten(files.stream().filter(Files::exists).findFirst().orElse(files.get(0)));
  }

  /**
   * Returns the file of a scenario that is given by name or by path.
   *
   * @throws InvalidInputException if there is none
   */
  Path scenario(String nameOrPath) throws InvalidInputException {
    if (isPath(nameOrPath)) {
      return existing(Path.of(nameOrPath));
    }
    Path shipped = file(Kind.SCENARIOS, current(nameOrPath));
    if (!Files.exists(shipped)) {
      throw missing(
          Path.of(nameOrPath),
          "no such scenario" + Suggestion.of(nameOrPath, names(Kind.SCENARIOS)));
    }
    return shipped;
  }

  /** Returns the name of a scenario now; another one if it was renamed. */
  String current(String name) {
    return Files.exists(file(Kind.SCENARIOS, name)) ? name : RENAMED.getOrDefault(name, name);
  }

  /**
   * Returns every file, of whatever kind, that is given by name or by path.
   *
   * @throws InvalidInputException if there is none
   */
  List<Path> files(String nameOrPath) throws InvalidInputException {
    if (isPath(nameOrPath)) {
      return List.of(existing(Path.of(nameOrPath)));
    }
    List<Path> files =
        Stream.of(Kind.values())
            .map(kind -> file(kind, kind == Kind.SCENARIOS ? current(nameOrPath) : nameOrPath))
            .filter(Files::exists)
            .toList();
    if (files.isEmpty()) {
      List<String> names = Stream.of(Kind.values()).flatMap(kind -> names(kind).stream()).toList();
      throw missing(
          Path.of(nameOrPath),
          "no such file, and no scenario, workload, engine or table of that name; "
              + Suggestion.nearest(nameOrPath, names)
                  .map(name -> "did you mean '" + name + "'?")
                  .orElse("'kvrank list' lists them"));
    }
    return files;
  }

  /**
   * Returns the newest results of a scenario that is given by name, or the folder that is given.
   */
  Path results(String nameOrPath) {
    Path given = Path.of(nameOrPath);
    for (Path folder :
        List.of(
            given,
            Path.of("results", nameOrPath),
            Path.of("results", RENAMED.getOrDefault(nameOrPath, nameOrPath)))) {
      Path latest = folder.resolve("latest");
      if (Files.isDirectory(latest)) {
        return latest;
      }
    }
    return given;
  }

  private static boolean isPath(String nameOrPath) {
    return nameOrPath.contains("/") || nameOrPath.matches(".*\\.ya?ml");
  }

  private static Path existing(Path file) throws InvalidInputException {
    if (!Files.exists(file)) {
      throw missing(file, "no such file");
    }
    return file;
  }

  private static InvalidInputException missing(Path file, String message) {
    return new InvalidInputException(List.of(new Problem(file, 0, 0, "", message, "")));
  }

  /** {@code path} from the working directory, if it is below that. */
  static Path shorten(Path path) {
    Path here = Path.of("").toAbsolutePath();
    return path.startsWith(here) ? here.relativize(path) : path;
  }
}
