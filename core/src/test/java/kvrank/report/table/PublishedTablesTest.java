package kvrank.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.input.InvalidInputException;
import kvrank.plan.Plan;
import kvrank.plan.PlannedPhase;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.report.GoldenFilesTest;
import kvrank.report.block.Block;
import kvrank.report.block.Table;
import kvrank.report.ranking.Notes;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineSpec;
import kvrank.scenario.Scenario;
import kvrank.scenario.read.ScenarioReader;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.Yaml;

/**
 * The tables of the documents in {@code published.yaml}, as their scenarios print them if every
 * engine does all that it can.
 */
class PublishedTablesTest {

  private static final Path FILE =
      GoldenFilesTest.HOME.resolve("core/src/test/resources/published.yaml");

  private static final Path FIGURES =
      GoldenFilesTest.HOME.resolve("docs/maintainers/published.tsv");

  private record Printed(String title, Table table) {

    List<List<String>> rows() {
      return table.rows().stream().map(Table.Row::texts).toList();
    }
  }

  @TestFactory
  Stream<DynamicTest> haveEveryColumnAndRow() throws Exception {
    List<Map<String, Object>> documents = new Yaml().load(Files.readString(FILE));
    List<DynamicTest> tests = new ArrayList<>();
    for (Map<String, Object> document : documents) {
      List<Printed> printed = printed((String) document.get("scenario"), texts(document, "set"));
      for (Object each : (List<?>) document.get("tables")) {
        Map<?, ?> table = (Map<?, ?>) each;
        tests.add(
            DynamicTest.dynamicTest(
                document.get("document") + ", " + table.get("table"),
                () -> compare(table, printed)));
      }
    }
    return tests.stream();
  }

  private static void compare(Map<?, ?> expected, List<Printed> all) {
    String title = expected.get("table").toString();
    List<Printed> printed = all.stream().filter(each -> each.title().startsWith(title)).toList();
    assertThat(printed)
        .as("tables among %s", all.stream().map(Printed::title).toList())
        .isNotEmpty();
    for (String column : texts(expected, "columns")) {
      assertThat(printed)
          .as("column %s", column)
          .anySatisfy(each -> assertThat(cells(each, column)).anyMatch(PublishedTablesTest::value));
    }
    for (String row : texts(expected, "rows")) {
      assertThat(printed.stream().flatMap(each -> each.rows().stream()))
          .as("row %s", row)
          .anyMatch(
              cells ->
                  begins(cells, row)
                      && cells.stream().skip(1).anyMatch(PublishedTablesTest::value));
    }
  }

  private static List<String> cells(Printed printed, String column) {
    List<String> names = printed.table().columns().stream().map(Table.Heading::name).toList();
    assertThat(names).contains(column);
    return printed.rows().stream().map(row -> row.get(names.indexOf(column))).toList();
  }

  private static boolean begins(List<String> cells, String row) {
    return (String.join(", ", cells) + ", ").startsWith(row + ", ");
  }

  private static boolean value(String cell) {
    return !cell.equals("-");
  }

  /** Returns texts as kvrank prints them. */
  private static List<String> texts(Map<?, ?> map, String key) {
    return ((List<?>) map.get(key))
        .stream().map(text -> text.toString().replaceFirst("^.* = ", "")).toList();
  }

  /** Each size of a document is in the scenario's file, as an option that a reader can copy. */
  @TestFactory
  Stream<DynamicTest> haveScenariosOfTheirSize() throws IOException {
    List<Map<String, Object>> documents = new Yaml().load(Files.readString(FILE));
    return documents.stream()
        .map(
            document ->
                DynamicTest.dynamicTest(
                    document.get("document").toString(),
                    () ->
                        assertThat(Files.readString(scenario((String) document.get("scenario"))))
                            .contains(
                                texts(document, "set").stream().map("--set "::concat).toList())));
  }

  /** The page of figures names documents, tables, rows and columns as the list does. */
  @Test
  void haveFiguresUnderTheSameNames() throws IOException {
    Set<String> known = new HashSet<>();
    List<Map<String, Object>> documents = new Yaml().load(Files.readString(FILE));
    for (Map<String, Object> document : documents) {
      for (Object each : (List<?>) document.get("tables")) {
        Map<?, ?> table = (Map<?, ?>) each;
        for (Object row : (List<?>) table.get("rows")) {
          for (Object column : (List<?>) table.get("columns")) {
            known.add(
                Stream.of(document.get("document"), table.get("table"), row, column)
                    .map(name -> name.toString().replaceFirst(" = .*$", ""))
                    .collect(Collectors.joining("\t")));
          }
        }
      }
    }
    List<String> lines = Files.readAllLines(FIGURES);
    assertThat(lines.stream().skip(1).map(line -> line.replaceFirst("(\t[0-9.]*){4}$", "")))
        .doesNotHaveDuplicates()
        .isSubsetOf(known);
  }

  /** The page said that every figure has kvrank's beside it; 130 of 373 had. */
  @Test
  void haveAsManyFiguresOfKvrankAsThePageStates() throws IOException {
    List<String> lines = Files.readAllLines(FIGURES);
    int here = List.of(lines.get(0).split("\t", -1)).indexOf("here");
    long measured =
        lines.stream().skip(1).filter(line -> !line.split("\t", -1)[here].isEmpty()).count();
    assertThat(Files.readString(FIGURES.resolveSibling("published.md")))
        .contains("; %d of %d were measured here".formatted(measured, lines.size() - 1));
  }

  private static Path scenario(String name) {
    return GoldenFilesTest.HOME.resolve("scenarios/" + name + ".yaml");
  }

  private static List<Printed> printed(String scenario, List<String> set)
      throws IOException, InvalidInputException {
    RankingIndex index = RankingIndex.of(results(scenario, set));
    List<Printed> printed = new ArrayList<>();
    String title = "";
    for (Block block : new TableReport(index, new Notes(index), TableFrame.Ties.BELOW).blocks()) {
      if (block instanceof Block.Heading heading) {
        title = heading.text();
      } else if (block instanceof Table table) {
        printed.add(new Printed(title, table));
      }
    }
    return printed;
  }

  private static ExecutionResults results(String name, List<String> set)
      throws IOException, InvalidInputException {
    Scenario scenario =
        new ScenarioReader(GoldenFilesTest.HOME).read(scenario(name), set, List.of());
    Plan plan = Planner.plan(scenario);
    List<String> rows = scenario.engines().stream().map(EngineSpec::label).toList();
    return Runs.results(
        Manifest.of(plan, "test", Runs.THEN),
        plan.runs().stream().map(run -> run(run, rows.indexOf(run.key().engine()))).toList());
  }

  /** Returns the record of a run, the slower the higher its place among the engines is. */
  private static RunRecord run(RunSpec run, int place) {
    boolean embedded = run.engine().definition().embedded();
    RunRecord record =
        Runs.run(run.key().engine())
            .facts(
                Map.of("way", embedded ? "embedded" : "process", "footprint.closedBytes", "4096"))
            .phases(run.phases().stream().map(phase -> phase(run, phase, place)).toList())
            .build();
    return new RunRecord(
        run.key(),
        run.unsupported().<Outcome>map(Outcome.Unsupported::new).orElse(record.outcome()),
        record.note(),
        record.facts(),
        run.unsupported().isPresent() ? List.of() : record.phases(),
        record.started(),
        record.ended(),
        Optional.empty());
  }

  private static PhaseRecord phase(RunSpec run, PlannedPhase phase, int place) {
    if (phase.unsupported().isPresent()) {
      return Runs.phase(phase.name(), new Outcome.Unsupported(phase.unsupported().get()));
    }
    double speed = 100_000 * (1 + 0.01 * run.key().repetition()) / (1 + place);
    Map<String, Double> operations = new TreeMap<>();
    phase.spec().operations().forEach(operation -> operations.put(operation, speed));
    PhaseRecord measured =
        Runs.phase(phase.name())
            .at(run.texts(phase))
            .operations(operations)
            .memory((200L + place) << 20)
            .footprint((300L + place) << 20)
            .embedded(run.engine().definition().embedded())
            .build();
    return new PhaseRecord(
        measured.name(),
        measured.workload(),
        phase.spec().load(),
        measured.outcome(),
        measured.settings(),
        measured.elapsedNanos(),
        measured.operations(),
        measured.resources(),
        measured.durability(),
        measured.points(),
        measured
            .facts()
            .put(Fact.ENGINE_GO_HEAP_BYTES, (100L + place) << 20)
            .put(Fact.ENGINE_USED_MEMORY, (100L + place) << 20));
  }
}
