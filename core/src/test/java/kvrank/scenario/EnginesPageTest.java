package kvrank.scenario;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvrank.scenario.EngineDefinition.FsyncLevel;
import kvrank.workload.DurationFormat;
import org.junit.jupiter.api.Test;

/** {@code docs/engines.md} says what every {@code engine.yaml} says. */
class EnginesPageTest {

  @Test
  void thePageIsThatOfTheEngines() throws Exception {
    Path page = TestHome.PROJECT.resolve("docs/engines.md");
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(page, page());
    }
    assertThat(page())
        .as("rewrite it with -Dkvrank.rewrite=true")
        .isEqualTo(Files.readString(page));
  }

  @Test
  void bundledExecutablesAreNamedByPlatformsThatMachinesHave() throws Exception {
    EngineDefinition redis =
        new ScenarioReader(TestHome.PROJECT)
            .readEngine(TestHome.PROJECT.resolve("bindings/redis/engine.yaml"));
    assertThat(redis.server().orElseThrow().bundled().keySet())
        .containsExactlyInAnyOrder(
            "linux-amd64", "linux-arm64", "linux-386", "darwin-amd64", "darwin-arm64");
  }

  private static String page() throws IOException, InvalidInputException {
    List<String> lines = new ArrayList<>();
    lines.add("# Engines");
    lines.add("");
    lines.add(
        "What each `bindings/*/engine.yaml` says; a test makes this page of them. `./kvrank"
            + " engines` says which can run on a machine, and each run records the version that the"
            + " engine itself told.");
    ScenarioReader reader = new ScenarioReader(TestHome.PROJECT);
    try (Stream<Path> folders = Files.list(TestHome.PROJECT.resolve("bindings"))) {
      for (Path folder : folders.sorted().toList()) {
        Path file = folder.resolve("engine.yaml");
        if (Files.isRegularFile(file)) {
          lines.addAll(section(reader.readEngine(file)));
        }
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> section(EngineDefinition engine) {
    List<String> lines = new ArrayList<>(List.of("", "## " + engine.name(), ""));
    lines.add(engine.description());
    lines.add("");
    if (engine.planned().isPresent()) {
      lines.add("- Cannot run yet: " + engine.planned().get());
      return lines;
    }
    lines.add("- Lives " + (engine.embedded() ? "in the worker's process" : "in a server"));
    lines.add("- To get it: " + engine.install());
    engine.fsync().forEach((kind, level) -> lines.add(level(kind, level)));
    lines.add("- Can: " + labels(engine.capabilities()));
    engine
        .optional()
        .forEach(
            more ->
                lines.add(
                    "- With `%s: %s` also: %s"
                        .formatted(more.option(), more.value(), labels(more.adds()))));
    SortedMap<String, String> stated = new TreeMap<>(engine.settings());
    if (engine.embedded()) {
      stated.putAll(engine.binding().properties());
      String cache = Long.toString(MemoryLimit.cache(Optional.empty()));
      stated.replaceAll((name, value) -> value.replace("${cache-bytes}", cache));
      stated.values().removeIf(value -> value.startsWith("${"));
    }
    if (!stated.isEmpty()) {
      lines.add("- Settings: " + texts(stated));
    }
    return lines;
  }

  private static String level(Fsync.Kind kind, FsyncLevel level) {
    SortedMap<String, String> how = new TreeMap<>(level.settings());
    how.putAll(level.properties());
    String said =
        level
            .unsupported()
            .map(reason -> "unsupported: " + reason)
            .orElse(how.isEmpty() ? "as it is" : texts(how));
    return "- fsync %s: %s%s"
        .formatted(
            kind.label()
                + level.interval().map(only -> " " + DurationFormat.format(only)).orElse(""),
            said,
            level.note().map(note -> "; " + note).orElse(""));
  }

  private static String labels(Iterable<Capability> capabilities) {
    List<String> labels = new ArrayList<>();
    capabilities.forEach(each -> labels.add(each.label()));
    return String.join(", ", labels);
  }

  private static String texts(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(each -> "`%s: %s`".formatted(each.getKey(), each.getValue()))
        .collect(joining(", "));
  }
}
