package kvrank.scenario.read;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.engine.Capability;
import kvrank.engine.Fsync;
import kvrank.scenario.Setting;
import kvrank.table.Dimensions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/yaml.md} and {@code engine-yaml.md} have exactly the keys of the schemas,
 * which have those of the readers ({@link SchemaTest}).
 *
 * <p>A key is the text in backticks in the first cell of a row, in a table whose first heading says
 * what the cells are. The section tells where the key belongs.
 */
class ReferencePagesTest {

  private static final String GROUP = "phases[].groups.*.";

  /** The key below which the keys of a section of {@code yaml.md} are. */
  private static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("Scenario", ""),
          Map.entry("Engines", "engines[]."),
          Map.entry("External servers", "engines[].server.external."),
          Map.entry("Phases", "phases[]."),
          Map.entry("Groups of threads", GROUP),
          Map.entry("Traces", "phases[]."),
          Map.entry("YCSB workloads", "phases[].workload."),
          Map.entry("Crash test", "verify."),
          Map.entry("Power cut", "verify."),
          Map.entry("Repetitions", "repetitions."),
          Map.entry("Workload", "phases[].workload."));

  private static final Set<String> TABLE_SECTIONS =
      Set.of("Table", "Rows and columns", "Cells", "Charts");

  private static final Pattern KEY = Pattern.compile("`([^`]+)`");

  /**
   * A row of a table.
   *
   * @param section the heading above it
   * @param of the table's first heading: what the first cells are
   */
  private record Row(String section, String of, List<String> keys, List<String> cells) {}

  @BeforeAll
  static void readSchemas() throws IOException {
    SchemaTest.readSchemas();
  }

  @Test
  void everyKeyOfAScenarioAndAWorkload() throws IOException {
    SortedSet<String> documented = new TreeSet<>();
    for (Row row : rows("yaml.md")) {
      for (String key : row.keys()) {
        if (row.of().equals("setting")) {
          boolean measure = SettingsReader.MEASURE.contains(Setting.of(key).orElseThrow());
          documented.add((measure ? "measure." : "") + key);
          documented.add("factors." + key);
          if (row.cells().get(3).equals("yes")) {
            documented.add("phases[]." + key);
          }
        } else if (row.of().equals("operation")) {
          for (String of : List.of("phases[].", GROUP)) {
            documented.add(of + "workload.operations." + key);
            documented.add(of + "workload.transaction[]." + key);
          }
        } else if (row.of().equals("key") && SECTIONS.containsKey(row.section())) {
          documented.add(SECTIONS.get(row.section()) + key);
          if (row.section().equals("Workload")) {
            documented.add(GROUP + "workload." + key);
          }
        }
      }
    }
    assertThat(withParents(documented)).containsExactlyElementsOf(withParents(paths("scenario")));
  }

  @Test
  void everySettingWithItsDefault() throws IOException {
    SortedMap<String, Row> rows = new TreeMap<>();
    for (Row row : rows("yaml.md")) {
      if (row.of().equals("setting")) {
        rows.put(row.keys().get(0), row);
      }
    }
    assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(Setting.labels());
    for (Setting setting : Setting.values()) {
      List<String> cells = rows.get(setting.label()).cells();
      assertThat(cells.get(3)).as(setting.label()).isEqualTo(setting.perPhase() ? "yes" : "no");
      if (!setting.defaultValue().isEmpty()) {
        assertThat(cells.get(2).replace("`", ""))
            .as(setting.label())
            .isEqualTo(setting.defaultValue());
      }
    }
  }

  @Test
  void everyLevelOfFsync() throws IOException {
    assertThat(rows("yaml.md"))
        .filteredOn(row -> row.of().equals("`fsync`"))
        .extracting(row -> row.keys().get(0).replaceAll("[{}]|:.*", ""))
        .containsExactly(
            Stream.of(Fsync.Kind.values()).map(Fsync.Kind::label).toArray(String[]::new));
  }

  @Test
  void everyKeyOfATable() throws IOException {
    SortedSet<String> documented =
        rows("yaml.md").stream()
            .filter(row -> row.of().equals("key") && TABLE_SECTIONS.contains(row.section()))
            .flatMap(row -> row.keys().stream())
            .collect(toCollection(TreeSet::new));
    Set<String> values = Set.of("where", "except", "rename");
    SortedSet<String> keys =
        SchemaTest.schemaVocabulary("table").entrySet().stream()
            .filter(each -> values.stream().noneMatch(each.getKey()::endsWith))
            .flatMap(each -> each.getValue().stream())
            .filter(key -> !key.equals("*") && !Dimensions.ALL.contains(key))
            .collect(toCollection(TreeSet::new));
    assertThat(documented).containsExactlyElementsOf(keys);
  }

  @Test
  void everyKeyOfAnEngine() throws IOException {
    SortedSet<String> documented = new TreeSet<>();
    for (Row row : rows("engine-yaml.md")) {
      for (String key : row.keys()) {
        switch (row.of()) {
          case "key" -> documented.add(key);
          case "key of a level" -> {
            for (Fsync.Kind level : EnumSet.complementOf(EnumSet.of(Fsync.Kind.AS_IS))) {
              if (!key.equals("interval") || level == Fsync.Kind.EVERY) {
                documented.add("fsync." + level.label() + "." + key);
              }
            }
          }
          default -> {
            // Another kind of table.
          }
        }
      }
    }
    // An exchange is described once.
    documented.removeAll(List.of("send", "match"));
    assertThat(withParents(documented)).containsExactlyElementsOf(withParents(paths("engine")));
    assertThat(rows("engine-yaml.md").stream().filter(row -> row.of().equals("capability")))
        .flatExtracting(Row::keys)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Capability.values()).map(Capability::label).toList());
  }

  /** The paths of all keys but former ones and those that are the user's own. */
  private static SortedSet<String> paths(String kind) {
    SortedSet<String> paths = new TreeSet<>();
    SchemaTest.schemaVocabulary(kind)
        .forEach(
            (form, keys) ->
                keys.stream()
                    .filter(key -> !key.equals("*"))
                    .filter(key -> !form.endsWith("*") || GROUP.equals(form + "."))
                    .forEach(key -> paths.add(form.isEmpty() ? key : form + "." + key)));
    paths.removeIf(path -> path.endsWith(".send") || path.endsWith(".match"));
    return paths;
  }

  private static SortedSet<String> withParents(Set<String> paths) {
    SortedSet<String> all = new TreeSet<>();
    for (String path : paths) {
      for (int end = path.length(); end > 0; end = path.lastIndexOf('.', end - 1)) {
        all.add(path.substring(0, end).replaceFirst("\\[]$", ""));
      }
    }
    return all;
  }

  private static List<Row> rows(String page) throws IOException {
    List<Row> rows = new ArrayList<>();
    String section = "";
    String of = "";
    for (String line : Files.readAllLines(TestHome.PROJECT.resolve("docs/reference/" + page))) {
      if (line.startsWith("#")) {
        section = line.replaceFirst("#+ ", "");
      }
      if (!line.startsWith("|")) {
        of = "";
      } else {
        List<String> cells =
            Arrays.stream(line.substring(1).split("(?<!\\\\)\\|")).map(String::strip).toList();
        if (of.isEmpty()) {
          of = cells.get(0);
        } else if (!cells.get(0).startsWith("---")) {
          List<String> keys =
              KEY.matcher(cells.get(0)).results().map(found -> found.group(1)).toList();
          rows.add(new Row(section, of, keys, cells));
        }
      }
    }
    return rows;
  }
}
