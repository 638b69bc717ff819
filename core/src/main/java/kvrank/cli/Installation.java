package kvrank.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the folder that the system property {@code kvrank.home} names, or the working
   * directory; with the bindings of {@code KVRANK_BINDINGS}, folders as in {@code PATH}, or else of
   * {@code ~/.kvrank/bindings}.
   */
  static Installation locate(Map<String, String> environment) {
    String own = System.getProperty("user.home") + "/.kvrank/bindings";
    List<Path> bindings = new ArrayList<>();
    for (String each :
        environment.getOrDefault("KVRANK_BINDINGS", own).split(File.pathSeparator, -1)) {
      if (!each.isBlank()) {
        bindings.add(Path.of(each).toAbsolutePath().normalize());
      }
    }
    Path home = Path.of(System.getProperty("kvrank.home", "")).toAbsolutePath().normalize();
    return new Installation(home, bindings);
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
    List<Path> folders = new ArrayList<>(kind == Kind.ENGINES ? bindings : List.of());
    folders.add(0, home.resolve(kind.folder));
    return folders;
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
    for (Path folder : folders(kind)) {
      if (Files.exists(folder.resolve(name + kind.ending))) {
        return shorten(folder.resolve(name + kind.ending));
      }
    }
    return shorten(home.resolve(kind.folder).resolve(name + kind.ending));
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
    String current = RENAMED.getOrDefault(nameOrPath, nameOrPath);
    for (String folder : List.of(nameOrPath, "results/" + nameOrPath, "results/" + current)) {
      Path latest = Path.of(folder, "latest");
      if (Files.isDirectory(latest)) {
        return latest;
      }
    }
    return Path.of(nameOrPath);
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
