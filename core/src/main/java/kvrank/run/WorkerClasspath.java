package kvrank.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.scenario.EngineDefinition;

/**
 * The class path of an engine's worker JVM: the worker's jars, the binding's, and nobody else's.
 *
 * @param home kvrank's own folder, with {@code worker/} and {@code bindings/} as Maven built them
 */
record WorkerClasspath(Path home) {

  /**
   * Returns the class path as {@code java -cp} takes it.
   *
   * @param more what the run needs beside its engine's
   * @throws IOException if something is not built; the message says how to build it
   */
  String of(EngineDefinition engine, List<Path> more) throws IOException {
    List<Path> entries = new ArrayList<>(built(home.resolve("worker")));
    Path module = engine.binding().module();
    if (Files.exists(module.resolve("pom.xml"))) {
      entries.addAll(built(module));
    }
    entries.addAll(engine.binding().classpath());
    entries.addAll(more);
    return entries.stream()
        .map(Path::toString)
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Returns the archive of the worker's own classes, which a JVM uses if it fits; empty if none was
   * made.
   */
  Optional<Path> archive() {
    return Optional.of(target(home.resolve("worker")).resolve("classes.jsa")).filter(Files::exists);
  }

  /**
   * Returns where Maven builds; as it is, since an archive of classes knows its jars by their
   * paths.
   */
  private static Path target(Path module) {
    Path target = module.resolve("target");
    try {
      return target.toRealPath();
    } catch (IOException e) {
      return target;
    }
  }

  private static List<Path> built(Path module) throws IOException {
    Path target = target(module);
    List<Path> jars = new ArrayList<>();
    if (Files.isDirectory(target)) {
      try (Stream<Path> files = Files.list(target)) {
        files
            .filter(file -> file.getFileName().toString().matches("kvrank-.*\\.jar"))
            .sorted()
            .forEach(jars::add);
      }
    }
    if (jars.isEmpty() && !Files.isDirectory(target.resolve("classes"))) {
      throw new IOException(
          module + ": is not built; run 'mvn -DskipTests package' in kvrank's folder first");
    }
    if (jars.isEmpty()) {
      jars.add(target.resolve("classes"));
    }
    Path lib = target.resolve("lib");
    if (Files.isDirectory(lib)) {
      try (Stream<Path> files = Files.list(lib)) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
      }
    }
    return jars;
  }
}
