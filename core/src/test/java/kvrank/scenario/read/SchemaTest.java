package kvrank.scenario.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.engine.Fsync;
import kvrank.input.Diagnostics;
import kvrank.input.YamlValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The schemas in {@code docs/schema/} say what the reader does. */
class SchemaTest {

  private static final String ADDRESS = "https://kvrank/";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Map<String, String> SCHEMAS = new TreeMap<>();

  private static SchemaRegistry registry;

  @TempDir private Path folder;

  @BeforeAll
  static void readSchemas() throws IOException {
    for (String kind : List.of("scenario", "workload", "engine", "table")) {
      Path file = TestHome.PROJECT.resolve("docs/schema/" + kind + ".schema.json");
      SCHEMAS.put(ADDRESS + kind + ".schema.json", Files.readString(file, UTF_8));
    }
    registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(SCHEMAS));
  }

  @TestFactory
  Stream<DynamicTest> acceptWhatTheReaderAccepts() throws IOException {
    List<Path> files = new ArrayList<>();
    files.addAll(ShippedFilesTest.yaml("workloads"));
    files.addAll(ShippedFilesTest.yaml("scenarios"));
    files.addAll(ShippedFilesTest.yaml("tables"));
    files.add(TestHome.RESOURCES.resolve("valid/every-key.yaml"));
    files.add(TestHome.RESOURCES.resolve("valid/options.yaml"));
    files.add(TestHome.RESOURCES.resolve("valid/tables-of-its-own.yaml"));
    files.add(TestHome.RESOURCES.resolve("valid/every-key-of-a-table.yaml"));
    files.addAll(engines(TestHome.RESOURCES.resolve("bindings")));
    files.addAll(engines(TestHome.PROJECT.resolve("bindings")));
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    TestHome.PROJECT.relativize(file).toString(),
                    () -> assertThat(errors(file)).isEmpty()));
  }

  @TestFactory
  Stream<DynamicTest> refuseKeysThatTheReaderRefuses() throws IOException {
    ScenarioReader reader = new ScenarioReader(TestHome.in(folder));
    return InvalidInputTest.files().stream()
        .filter(
            file ->
                reader.validate(file).stream()
                    .anyMatch(
                        problem -> problem.message().matches("unknown (key|operation|setting) .*")))
        .map(
            file ->
                DynamicTest.dynamicTest(
                    file.getFileName().toString(), () -> assertThat(errors(file)).isNotEmpty()));
  }

  /** Relative: a reader of a schema finds the others beside it, wherever that is. */
  @Test
  void haveTheirFilesNamesAsTheirIds() {
    for (String address : SCHEMAS.keySet()) {
      assertThat(ADDRESS + schema(address).path("$id").asString("")).isEqualTo(address);
    }
  }

  @Test
  void scenariosAndWorkloadsHaveTheKeysOfTheReader() throws IOException {
    Path file = TestHome.RESOURCES.resolve("valid/every-key.yaml");
    assertThat(schemaVocabulary("scenario")).isEqualTo(readerVocabulary(file));
  }

  @Test
  void tablesHaveTheKeysOfTheReader() throws IOException {
    Path file = TestHome.RESOURCES.resolve("valid/every-key-of-a-table.yaml");
    assertThat(schemaVocabulary("table")).isEqualTo(readerVocabulary(file));
  }

  @Test
  void enginesHaveTheKeysOfTheReader() throws IOException {
    Path file = TestHome.RESOURCES.resolve("bindings/redis/engine.yaml");
    assertThat(schemaVocabulary("engine")).isEqualTo(readerVocabulary(file));
  }

  @Test
  void scenariosHaveTheLevelsOfFsync() {
    JsonNode levels = schema(ADDRESS + "scenario.schema.json").at("/$defs/fsync/anyOf/0/enum");
    assertThat(levels.values())
        .extracting(JsonNode::asString)
        .containsExactlyInAnyOrderElementsOf(Fsync.names());
  }

  private Map<String, SortedSet<String>> readerVocabulary(Path file) throws IOException {
    Diagnostics reading = new Diagnostics();
    new ScenarioReader(TestHome.in(folder)).validate(reading, file);
    assertThat(reading.problems()).isEmpty();
    SortedMap<String, YamlValue> maps = new TreeMap<>();
    for (YamlValue map : reading.maps()) {
      if (map.place().file().equals(file)) {
        maps.put(map.place().path(), map);
      }
    }
    SortedMap<String, SortedSet<String>> result = new TreeMap<>();
    maps.forEach(
        (path, map) ->
            result
                .computeIfAbsent(unnested(form(path, maps)), any -> new TreeSet<>())
                .addAll(map.vocabulary()));
    return result;
  }

  /** Returns {@code path} with {@code []} for any item and {@code *} for any key. */
  private static String form(String path, SortedMap<String, YamlValue> maps) {
    Optional<String> above =
        maps.headMap(path).keySet().stream()
            .filter(each -> path.startsWith(each + "."))
            .reduce((one, longer) -> longer);
    if (above.isEmpty()) {
      return path.replaceAll("\\[\\d+]", "[]");
    }
    String rest = path.substring(above.get().length());
    return form(above.get(), maps)
        + (maps.get(above.get()).vocabulary().contains("*")
            ? ".*"
            : rest.replaceAll("\\[\\d+]", "[]"));
  }

  /** A table below another one has the keys of a table. */
  private static String unnested(String form) {
    return form.replaceFirst("^(tables\\[\\](\\.|$))+", "");
  }

  static Map<String, SortedSet<String>> schemaVocabulary(String kind) {
    SortedMap<String, SortedSet<String>> result = new TreeMap<>();
    collect(schema(ADDRESS + kind + ".schema.json"), ADDRESS + kind + ".schema.json", "", result);
    return result;
  }

  /** Collects the keys of every section that {@code schema} describes, by its form. */
  private static void collect(
      JsonNode schema, String file, String form, SortedMap<String, SortedSet<String>> keys) {
    String whole = schema.path("$ref").asString("");
    if (whole.equals("#") || whole.equals("table.schema.json")) {
      return;
    }
    if (schema.has("$ref")) {
      String[] reference = schema.get("$ref").asString().split("#", 2);
      String target = reference[0].isEmpty() ? file : ADDRESS + reference[0];
      String pointer = reference.length < 2 ? "" : reference[1];
      collect(schema(target).at(pointer), target, form, keys);
    }
    for (JsonNode each : schema.path("anyOf")) {
      collect(each, file, form, keys);
    }
    if (schema.has("items")) {
      collect(schema.get("items"), file, form + "[]", keys);
    }
    for (Map.Entry<String, JsonNode> each : schema.path("properties").properties()) {
      keys.computeIfAbsent(form, any -> new TreeSet<>()).add(each.getKey());
      collect(each.getValue(), file, child(form, each.getKey()), keys);
    }
    if (schema.path("additionalProperties").isObject()) {
      keys.computeIfAbsent(form, any -> new TreeSet<>()).add("*");
      collect(schema.get("additionalProperties"), file, child(form, "*"), keys);
    }
  }

  private static String child(String form, String key) {
    return form.isEmpty() ? key : form + "." + key;
  }

  private static JsonNode schema(String address) {
    return new ObjectMapper().readTree(SCHEMAS.get(address));
  }

  private static List<String> errors(Path file) throws IOException {
    JsonNode document = json(new Yaml(new LoaderOptions()).compose(reader(file)));
    String kind =
        document.has("binding") || document.has("planned")
            ? "engine"
            : document.has("rows") || (document.has("tables") && !document.has("engines"))
                ? "table"
                : document.has("engines") || document.has("phases") ? "scenario" : "workload";
    return registry
        .getSchema(SchemaLocation.of(ADDRESS + kind + ".schema.json"))
        .validate(document.toString(), InputFormat.JSON)
        .stream()
        .map(Object::toString)
        .toList();
  }

  private static StringReader reader(Path file) throws IOException {
    return new StringReader(Files.readString(file, UTF_8));
  }

  /** The types of YAML 1.2's core schema, which editors use. */
  private static JsonNode json(Node node) {
    if (node instanceof MappingNode map) {
      ObjectNode result = JSON.objectNode();
      for (NodeTuple tuple : map.getValue()) {
        result.set(((ScalarNode) tuple.getKeyNode()).getValue(), json(tuple.getValueNode()));
      }
      return result;
    }
    if (node instanceof SequenceNode list) {
      ArrayNode result = JSON.arrayNode();
      list.getValue().forEach(item -> result.add(json(item)));
      return result;
    }
    ScalarNode scalar = (ScalarNode) node;
    String value = scalar.getValue();
    if (!scalar.isPlain()) {
      return JSON.stringNode(value);
    }
    if (Set.of("true", "false").contains(value)) {
      return JSON.booleanNode(Boolean.parseBoolean(value));
    }
    if (value.matches("[-+]?[0-9]+")) {
      return JSON.numberNode(Long.parseLong(value));
    }
    return value.matches("[-+]?[0-9]+\\.[0-9]+")
        ? JSON.numberNode(Double.parseDouble(value))
        : JSON.stringNode(value);
  }

  private static List<Path> engines(Path bindings) throws IOException {
    try (Stream<Path> folders = Files.list(bindings)) {
      return folders
          .map(each -> each.resolve("engine.yaml"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }
}
