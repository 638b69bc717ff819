package kvrank.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where kvrank's own files are.
 *
 * @param home the folder that holds {@code bindings/}, {@code workloads/} and {@code scenarios/}
 */
record Installation(Path home) {

  Installation {
    requireNonNull(home, "home is null");
  }

  /** The folder that the system property {@code kvrank.home} names, or the working directory. */
  static Installation locate() {
    return new Installation(
        Path.of(System.getProperty("kvrank.home", "")).toAbsolutePath().normalize());
  }

  /** The file of a scenario that is given by name or by path. */
  Path scenario(String nameOrPath) {
    if (nameOrPath.contains("/") || nameOrPath.endsWith(".yaml") || nameOrPath.endsWith(".yml")) {
      return Path.of(nameOrPath);
    }
    Path shipped = scenarios().resolve(nameOrPath + ".yaml");
    return shorten(shipped);
  }

  /** The names of the shipped scenarios, sorted. */
  List<String> scenarioNames() throws IOException {
    try (Stream<Path> files = Files.list(scenarios())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList();
    }
  }

  Path scenarios() {
    return home.resolve("scenarios");
  }

  /** {@code path} from the working directory, if it is below that. */
  static Path shorten(Path path) {
    Path here = Path.of("").toAbsolutePath();
    return path.startsWith(here) ? here.relativize(path) : path;
  }
}
