package kvrank.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A kvrank of a test's own: the built code by links, and folders that it can add files to. */
final class OwnKvrank {

  /** The project that was built. */
  static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));

  private OwnKvrank() {}

  static void install(Path home) throws IOException {
    Files.copy(PROJECT.resolve("kvrank"), home.resolve("kvrank"));
    Files.createSymbolicLink(home.resolve("core"), PROJECT.resolve("core"));
    Files.createSymbolicLink(home.resolve("worker"), PROJECT.resolve("worker"));
    for (String folder : List.of("bindings", "workloads", "scenarios", "tables")) {
      Files.createDirectory(home.resolve(folder));
      try (Stream<Path> files = Files.list(PROJECT.resolve(folder))) {
        for (Path file : files.toList()) {
          Files.createSymbolicLink(home.resolve(folder).resolve(file.getFileName()), file);
        }
      }
    }
  }

  /** The links go before JUnit looks, which would warn about each. */
  static void removeLinks(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path link : files.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }
}
