package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kvrank of a test's own: the built code by links, and folders that it can add files to. Without
 * the engine that does nothing it measures no ceilings, which take half of the time.
 */
abstract class InstalledKvrank {

  /** The project that was built. */
  static final Path PROJECT = Path.of(System.getProperty("kvrank.home"));

  private static final String NOOP = "bindings/noop";

  /** A line of facts in a file of results. */
  private static final Pattern FACT = Pattern.compile(" *\"(\\S+)\" : \".*\",?");

  @TempDir Path home;

  @BeforeEach
  final void install() throws IOException {
    Files.copy(PROJECT.resolve("kvrank"), home.resolve("kvrank"));
    Files.createSymbolicLink(home.resolve("core"), PROJECT.resolve("core"));
    Files.createSymbolicLink(home.resolve("worker"), PROJECT.resolve("worker"));
    for (String folder : List.of("bindings", "workloads", "scenarios", "tables")) {
      Files.createDirectory(home.resolve(folder));
      try (Stream<Path> files = Files.list(PROJECT.resolve(folder))) {
        for (Path file : files.filter(each -> !each.endsWith(NOOP)).toList()) {
          Files.createSymbolicLink(home.resolve(folder).resolve(file.getFileName()), file);
        }
      }
    }
  }

  /** Adds the engine that does nothing, by which ceilings are measured. */
  final void measureCeilings() throws IOException {
    Files.createSymbolicLink(home.resolve(NOOP), PROJECT.resolve(NOOP));
  }

  /** A test that failed may have left a kvrank, which would hold the lock of all that follow. */
  @AfterEach
  final void endWhatIsLeft() {
    Execution.mentioning(home.toString()).forEach(ProcessHandle::destroyForcibly);
  }

  /** Whatever a test has measured. */
  @AfterEach
  final void everyFactIsDeclared() throws IOException {
    Path results = home.resolve("results");
    if (!Files.exists(results)) {
      return;
    }
    try (Stream<Path> files = Files.walk(results)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (name.equals("environment.json") || name.equals("record.json")) {
          everyFactIsDeclared(file, name.equals("record.json") ? Level.RUN : Level.MACHINE);
        }
      }
    }
  }

  private static void everyFactIsDeclared(Path file, Level outer) throws IOException {
    Level level = null;
    for (String line : Files.readAllLines(file)) {
      Matcher fact = FACT.matcher(line);
      if (line.endsWith("\"facts\" : {")) {
        level = line.startsWith("  \"") ? outer : Level.PHASE;
      } else if (level != null && fact.matches()) {
        assertThat(Fact.find(level, fact.group(1))).as("%s: %s", file, line).isPresent();
      } else {
        level = null;
      }
    }
  }

  /** The links go before JUnit looks, which would warn about each. */
  @AfterEach
  final void removeLinks() throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path link : files.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  /** Starts it in its own folder. */
  final Execution kvrank(String... words) throws IOException {
    return kvrank(Map.of(), words);
  }

  /** Starts it in its own folder, with more variables. */
  final Execution kvrank(Map<String, String> variables, String... words) throws IOException {
    return Execution.start(home, home, variables, words);
  }

  /** Adds {@code scenarios/name.yaml}. */
  final void scenario(String name, String yaml) throws IOException {
    Files.writeString(home.resolve("scenarios/" + name + ".yaml"), yaml);
  }

  /** The newest results of a scenario. */
  final Path latest(String scenario) {
    return home.resolve("results").resolve(scenario).resolve("latest");
  }

  /** The folder of one run of the newest results of a scenario. */
  final Path runFolder(String scenario, String run) {
    return latest(scenario).resolve("runs").resolve(run);
  }

  final String record(String scenario, String run) throws IOException {
    return Files.readString(
        runFolder(scenario, run).resolve("record.json"), StandardCharsets.UTF_8);
  }

  /** The Redis that comes with the binding, for this machine. */
  static Path bundledRedis() throws IOException {
    String platform =
        System.getProperty("os.arch").equals("aarch64") ? "linux-arm64" : "linux-amd64";
    try (Stream<Path> files = Files.list(PROJECT.resolve("bindings/redis/target/bundled"))) {
      return files.filter(file -> file.toString().endsWith(platform)).findFirst().orElseThrow();
    }
  }

  final void assertNothingLeft() throws IOException {
    Path results = home.resolve("results");
    if (Files.exists(results)) {
      try (Stream<Path> files = Files.walk(results)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .noneMatch(name -> name.startsWith("data-"));
      }
    }
    assertThat(Execution.mentioning(home.toString())).isEmpty();
  }
}
