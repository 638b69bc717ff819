package kvrank.provision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file of an engine that is a native library, or why there is none.
 *
 * <p>The build of a module puts its libraries into {@code target/native/<platform>}, and beside
 * them a file {@code NAME.missing} with one line for each that it could not build.
 *
 * @param file an absolute path
 * @param absence why it is not there
 */
record NativeLibrary(Path file, Optional<String> absence) {

  /** Returns the library that somebody named. */
  static NativeLibrary of(Path named) {
    Path file = named.toAbsolutePath().normalize();
    return Files.isRegularFile(file)
        ? new NativeLibrary(file, Optional.empty())
        : new NativeLibrary(file, Optional.of("no library '%s' is there".formatted(file)));
  }

  /** Returns the library {@code name} that the build of {@code module} made for this platform. */
  static NativeLibrary built(Path module, String name) {
    Path libraries = module.resolve("target").resolve("native");
    Path folder = libraries.resolve(Executables.platform());
    Path file = folder.resolve(name + ".so");
    if (Files.isRegularFile(file)) {
      return of(file);
    }
    Path missing = folder.resolve(name + ".missing");
    String reason;
    try {
      reason =
          Files.exists(missing) ? Files.readString(missing).strip() : notBuilt(libraries, name);
    } catch (IOException e) {
      reason = "why it was not built cannot be read: " + e.getMessage();
    }
    return new NativeLibrary(of(file).file(), Optional.of(reason));
  }

  private static String notBuilt(Path libraries, String name) throws IOException {
    List<String> others = platforms(libraries, name);
    return others.isEmpty()
        ? "its library is not built; run 'mvn -DskipTests package' in kvrank's folder first"
        : "its library is built for %s, and this is %s; run 'mvn -DskipTests package' here"
            .formatted(String.join(", ", others), Executables.platform());
  }

  private static List<String> platforms(Path libraries, String name) throws IOException {
    if (!Files.isDirectory(libraries)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(libraries)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve(name + ".so")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
