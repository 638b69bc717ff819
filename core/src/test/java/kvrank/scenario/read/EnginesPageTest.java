package kvrank.scenario.read;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.engine.Capability;
import kvrank.engine.EngineDefinition;
import kvrank.engine.EngineDefinition.Eviction;
import kvrank.engine.EngineDefinition.FsyncLevel;
import kvrank.engine.Fsync;
import kvrank.engine.ServerDefinition;
import kvrank.input.InvalidInputException;
import kvrank.scenario.MemoryLimit;
import kvrank.workload.request.DurationFormat;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/engines.md} is generated from every {@code engine.yaml}. */
class EnginesPageTest {

  private static final Path PAGE = TestHome.PROJECT.resolve("docs/reference/engines.md");
  private static final Path PUBLISHED = TestHome.PROJECT.resolve("docs/maintainers/published.md");

  private static final String INTRODUCTION =
      """
      # Engines

      <!-- EnginesPageTest writes this page. -->
      What each `engine.yaml` states. `./kvrank engines` shows which engines are available on a machine, \
      and how to install the others. Every run records the version that the engine reports.

      All engines read, insert, update and delete single records. [engine-yaml.md](engine-yaml.md#capabilities) \
      explains the other capabilities, [yaml.md](yaml.md#levels-of-fsync) the levels of `fsync`. `maxmemory` \
      means that the engine can be a [cache](yaml.md#caches). The lines *fsync* show what kvrank sets for \
      a level. *Options* are further settings that a scenario may [override](yaml.md#engines).
      """;

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
    if (Boolean.getBoolean("kvrank.rewrite")) {
      Files.writeString(PAGE, page());
    }
    assertThat(page())
        .as("rewrite it with -Dkvrank.rewrite=true")
        .isEqualTo(Files.readString(PAGE));
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
    List<EngineDefinition> engines = TestHome.engines();
    List<String> lines = new ArrayList<>();
    lines.add(INTRODUCTION);
    lines.add("| engine | levels of fsync | capabilities beyond single records |");
    lines.add("|---|---|---|");
    for (EngineDefinition engine : engines) {
      lines.add(
          "| [%1$s](#%1$s) | %2$s | %3$s |"
              .formatted(engine.name(), levels(engine), capabilities(engine)));
    }
    Map<String, List<String>> shared = sharedNotes(engines);
    lines.add("");
    shared.forEach(
        (note, names) ->
            lines.add(note.replaceFirst(": ", " of %s: ".formatted(String.join(", ", names)))));
    for (EngineDefinition engine : engines) {
      List<String> section = section(engine);
      section.removeAll(shared.keySet());
      lines.addAll(section);
    }
    return String.join("\n", lines) + "\n";
  }

  /** The notes of five engines or more, with these engines. */
  private static Map<String, List<String>> sharedNotes(List<EngineDefinition> engines) {
    Map<String, List<String>> notes = new LinkedHashMap<>();
    for (EngineDefinition engine : engines) {
      durability(engine).stream()
          .filter(line -> line.startsWith("- Note"))
          .forEach(
              note -> notes.computeIfAbsent(note, any -> new ArrayList<>()).add(engine.name()));
    }
    notes.values().removeIf(names -> names.size() < 5);
    return notes;
  }

  private static String levels(EngineDefinition engine) {
    return engine.planned().isPresent()
        ? "cannot run yet"
        : engine.fsync().entrySet().stream()
            .filter(level -> level.getValue().unsupported().isEmpty())
            .map(level -> name(level.getKey(), level.getValue()))
            .collect(joining(", "));
  }

  private static String capabilities(EngineDefinition engine) {
    List<String> texts = new ArrayList<>();
    engine.capabilities().stream()
        .filter(each -> each.compareTo(Capability.DELETE) > 0)
        .forEach(each -> texts.add(each.label()));
    engine.eviction().ifPresent(any -> texts.add("maxmemory"));
    engine
        .optional()
        .forEach(
            more ->
                texts.add(
                    "with `%s: %s` %s"
                        .formatted(more.option(), more.value(), labels(more.adds()))));
    return String.join(", ", texts);
  }

  private static List<String> section(EngineDefinition engine) throws IOException {
    List<String> lines = new ArrayList<>(List.of("", "## " + engine.name(), ""));
    lines.add(engine.description());
    lines.add("");
    if (engine.planned().isPresent()) {
      lines.add("- Cannot run yet: " + engine.planned().get());
      return lines;
    }
    List<String> facts = new ArrayList<>(List.of(engine.embedded() ? "Embedded" : "Server"));
    if (!engine.name().equals("noop")) {
      version(engine).ifPresent(facts::add);
      assertThat(engine.language()).as("language of %s", engine.name()).isNotEmpty();
      facts.add(engine.language());
      assertThat(engine.licence()).as("licence of %s", engine.name()).isNotEmpty();
      facts.add("licence " + engine.licence());
    }
    lines.add("- " + String.join("; ", facts));
    lines.addAll(durability(engine));
    engine.lacks().forEach((what, why) -> lines.add("- No %s: %s".formatted(what.label(), why)));
    engine
        .eviction()
        .map(how -> eviction(how))
        .filter(text -> !text.isEmpty())
        .ifPresent(text -> lines.add("- maxmemory: " + text));
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
    for (FsyncLevel level : engine.fsync().values()) {
      stated.keySet().removeAll(level.settings().keySet());
      stated.keySet().removeAll(level.properties().keySet());
    }
    if (!stated.isEmpty()) {
      lines.add("- Options: " + texts(stated));
    }
    if (!engine.published().isEmpty()) {
      lines.add("- Published figures: " + published(engine));
    }
    return lines;
  }

  /** The settings and notes of the levels, each text once. */
  private static List<String> durability(EngineDefinition engine) {
    Map<String, List<String>> levels = new LinkedHashMap<>();
    Map<String, List<String>> notes = new LinkedHashMap<>();
    engine
        .fsync()
        .forEach(
            (kind, level) -> {
              SortedMap<String, String> how = new TreeMap<>(level.settings());
              how.putAll(level.properties());
              String text =
                  level
                      .unsupported()
                      .map(reason -> "unsupported: " + reason)
                      .orElse(how.isEmpty() ? "no setting needed" : texts(how));
              String name = name(kind, level);
              levels.computeIfAbsent(text, any -> new ArrayList<>()).add(name);
              level
                  .note()
                  .ifPresent(
                      note -> notes.computeIfAbsent(note, any -> new ArrayList<>()).add(name));
            });
    List<String> lines = new ArrayList<>();
    lines.add(
        levels.entrySet().stream()
            .map(each -> "**%s** %s".formatted(String.join(", ", each.getValue()), each.getKey()))
            .collect(joining("; ", "- fsync: ", "")));
    notes.forEach(
        (note, names) -> lines.add("- Note at %s: %s".formatted(String.join(", ", names), note)));
    return lines;
  }

  private static String eviction(Eviction how) {
    SortedMap<String, String> all = new TreeMap<>(how.settings());
    all.putAll(how.properties());
    String without = String.join(" ", how.without());
    return texts(all) + (without.isEmpty() ? "" : ", without `%s`".formatted(without));
  }

  /** Links to what others measured, which {@link #PUBLISHED} has beside kvrank's figures. */
  private static String published(EngineDefinition engine) throws IOException {
    List<String> links = new ArrayList<>();
    for (String source : engine.published().keySet()) {
      assertThat(beside(source))
          .as("%s, section %s", PUBLISHED, source)
          .contains("\n| %s |".formatted(engine.name()));
      links.add("[%s](%s#%s)".formatted(source, PAGE.getParent().relativize(PUBLISHED), source));
    }
    return String.join(", ", links);
  }

  /** Returns the section of {@link #PUBLISHED} about the figures of {@code source}. */
  private static String beside(String source) throws IOException {
    String page = Files.readString(PUBLISHED);
    Matcher section =
        Pattern.compile("(?s)\n## %s\n(.*?)(\n## |$)".formatted(source)).matcher(page);
    return section.find() ? section.group(1) : "";
  }

  /** What is built into kvrank, or the image that it would pull. */
  private static Optional<String> version(EngineDefinition engine) throws IOException {
    if (!engine.embedded()) {
      return engine.server().flatMap(ServerDefinition::image).map("image `%s`"::formatted);
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

  private static String name(Fsync.Kind kind, FsyncLevel level) {
    return kind.label()
        + level.interval().map(only -> " " + DurationFormat.format(only)).orElse("");
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
