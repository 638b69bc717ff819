package kvrank.scenario.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvrank.engine.EngineDefinition;
import kvrank.input.InvalidInputException;

/** A kvrank home of the shipped workloads and tables and of engines that exist only for tests. */
public final class TestHome {

  /** The root of the project. */
  public static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));

  static final Path RESOURCES = PROJECT.resolve("core/src/test/resources");

  private TestHome() {}

  /** Fills {@code folder}; copies, since JUnit warns of links that lead out of its folders. */
  public static Path in(Path folder) throws IOException {
    Files.createDirectories(folder);
    copy(PROJECT.resolve("workloads"), folder.resolve("workloads"));
    copy(PROJECT.resolve("tables"), folder.resolve("tables"));
    copy(RESOURCES.resolve("bindings"), folder.resolve("bindings"));
    return folder;
  }

  /** Returns the {@code engine.yaml} of every engine that is shipped. */
  static List<Path> engineFiles() throws IOException {
    try (Stream<Path> folders = Files.list(PROJECT.resolve("bindings"))) {
      return folders
          .sorted()
          .map(binding -> binding.resolve("engine.yaml"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  /** Returns every engine that is shipped. */
  public static List<EngineDefinition> engines() throws IOException, InvalidInputException {
    List<EngineDefinition> engines = new ArrayList<>();
    for (Path file : engineFiles()) {
      engines.add(new ScenarioReader(PROJECT).readEngine(file));
    }
    return engines;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }
}
