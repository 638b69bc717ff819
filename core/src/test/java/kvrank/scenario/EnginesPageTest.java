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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.scenario.EngineDefinition.FsyncLevel;
import kvrank.scenario.EngineDefinition.ServerDefinition;
import kvrank.workload.DurationFormat;
import org.junit.jupiter.api.Test;

/** {@code docs/engines.md} says what every {@code engine.yaml} says. */
class EnginesPageTest {

  /** Where the figures of others are from: what they were measured with, by their names. */
  private static final SortedMap<String, String> SOURCES =
      new TreeMap<>(
          Map.of(
              "benchtool",
              "README of TidesDB's benchtool: 500,000 operations, keys of 16 and values of 100"
                  + " bytes, 4 threads",
              "kvbench",
              "README of the fork of [kvbench](https://github.com/smallnest/kvbench) that adds"
                  + " prefix queries, 'nofsync': Apple M1 Pro, 4,000,000 records, keys of 9 and"
                  + " values of 256 bytes",
              "latency-compare",
              "README of KotlinKV-LatencyCompare: one operation at a time, from Kotlin",
              "redis-vs-ignix",
              "README of Ignix's benchmark: values of 256 bytes, a client in Python",
              "ssdb-vs-kvrocks",
              "README of a benchmark in Node.js: 100,000 documents of JSON of about 1 KB, one"
                  + " client"));

  private static final List<Map.Entry<String, Pattern>> BUILDS =
      List.of(
          Map.entry("go.mod", Pattern.compile("(?m)^(?:require)?\\s+((?!kvrank/)\\S+) (v\\S+)$")),
          Map.entry("Cargo.toml", Pattern.compile("(?m)^(\\S+) = (?:\\{ version = )?\"=(\\S+?)\"")),
          Map.entry(
              "pom.xml",
              Pattern.compile(
                  "(?s)</parent>(?:.*</dependencyManagement>)?.*?<dependency>"
                      + ".*?<artifactId>(.*?)</artifactId>\\s*<version>(.*?)</version>")));

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
            + " engine itself told. What is published about an engine was measured by others, as the"
            + " [end](#where-published-figures-are-from) of this page says; it is no result of"
            + " kvrank.");
    for (EngineDefinition engine : TestHome.engines()) {
      lines.addAll(section(engine));
    }
    lines.add("");
    lines.add("## Where published figures are from");
    lines.add("");
    SOURCES.forEach((name, what) -> lines.add("- %s: %s".formatted(name, what)));
    return String.join("\n", lines) + "\n";
  }

  private static List<String> section(EngineDefinition engine) throws IOException {
    List<String> lines = new ArrayList<>(List.of("", "## " + engine.name(), ""));
    lines.add(engine.description());
    lines.add("");
    if (engine.planned().isPresent()) {
      lines.add("- Cannot run yet: " + engine.planned().get());
      return lines;
    }
    lines.add("- Lives " + (engine.embedded() ? "in the worker's process" : "in a server"));
    if (!engine.name().equals("noop")) {
      version(engine).ifPresent(version -> lines.add("- Version: " + version));
      assertThat(engine.licence()).as("licence of %s", engine.name()).isNotEmpty();
      lines.add("- Licence: " + engine.licence());
    }
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
    engine.lacks().forEach((what, why) -> lines.add("- No %s: %s".formatted(what.label(), why)));
    engine
        .eviction()
        .ifPresent(
            how -> {
              SortedMap<String, String> all = new TreeMap<>(how.settings());
              all.putAll(how.properties());
              String without = String.join(" ", how.without());
              lines.add(
                  "- With maxmemory: "
                      + (all.isEmpty() ? "as it is" : texts(all))
                      + (without.isEmpty() ? "" : ", without `%s`".formatted(without)));
            });
    SortedMap<String, String> stated = new TreeMap<>(engine.settings());
    if (engine.embedded()) {
      stated.putAll(engine.binding().properties());
      String cache = Long.toString(MemoryLimit.cache(Optional.empty()));
      String buffer = Long.toString(MemoryLimit.writeBuffer(Optional.empty()));
      stated.replaceAll(
          (name, value) ->
              value.replace("${cache-bytes}", cache).replace("${write-buffer-bytes}", buffer));
      stated.values().removeIf(value -> value.startsWith("${"));
    }
    if (!stated.isEmpty()) {
      lines.add("- Settings: " + texts(stated));
    }
    assertThat(SOURCES.keySet()).containsAll(engine.published().keySet());
    for (Map.Entry<String, String> each : engine.published().entrySet()) {
      String where = each.getKey();
      assertThat(beside(where))
          .as("docs/published.md, section %s", where)
          .contains("\n| %s |".formatted(engine.name()));
      lines.add(
          "- Published (%s, [beside kvrank's](published.md#%s)): %s"
              .formatted(where, where, each.getValue()));
    }
    return lines;
  }

  /** What {@code docs/published.md} has beside the figures of one source. */
  private static String beside(String source) throws IOException {
    String page = Files.readString(TestHome.PROJECT.resolve("docs/published.md"));
    Matcher section =
        Pattern.compile("(?s)\n## %s\n(.*?)(\n## |$)".formatted(source)).matcher(page);
    return section.find() ? section.group(1) : "";
  }

  /** What is built into kvrank, or the image that it would pull. */
  private static Optional<String> version(EngineDefinition engine) throws IOException {
    if (!engine.embedded()) {
      return engine
          .server()
          .flatMap(ServerDefinition::image)
          .map("that of the server; image `%s`"::formatted);
    }
    for (Path folder : List.of(engine.folder(), engine.binding().module())) {
      for (Map.Entry<String, Pattern> build : BUILDS) {
        Path file = folder.resolve(build.getKey());
        if (Files.exists(file)) {
          Matcher found = build.getValue().matcher(Files.readString(file));
          if (found.find()) {
            return Optional.of("%s %s".formatted(found.group(1), found.group(2)));
          }
        }
      }
    }
    return Optional.empty();
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
