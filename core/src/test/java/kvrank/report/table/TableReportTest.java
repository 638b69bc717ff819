package kvrank.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvrank.report.Examples;
import kvrank.report.GoldenFilesTest;
import kvrank.report.ReferenceExamples;
import kvrank.report.block.Block;
import kvrank.report.block.Table;
import kvrank.report.block.Width;
import kvrank.report.chart.Chart;
import kvrank.report.chart.Svg;
import kvrank.report.ranking.Notes;
import kvrank.report.write.Console;
import kvrank.report.write.Markdown;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import kvrank.table.TableRequest;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TableReportTest {

  private static List<Block> blocks(ExecutionResults results) {
    RankingIndex board = RankingIndex.of(results);
    return new TableReport(board, new Notes(board), TableFrame.Ties.TOGETHER).blocks();
  }

  private static List<Table> tables(ExecutionResults results) {
    return blocks(results).stream().filter(Table.class::isInstance).map(Table.class::cast).toList();
  }

  private static List<String> names(Table table) {
    return table.columns().stream().map(Table.Heading::name).toList();
  }

  private static List<String> column(Table table, int index) {
    return table.rows().stream().map(row -> row.texts().get(index)).toList();
  }

  /** Each file of {@code tables/}, filled from the example of that name or from the common one. */
  @TestFactory
  Stream<DynamicTest> areAsTheyWereLastLookedAt() throws IOException {
    try (Stream<Path> files = Files.list(GoldenFilesTest.HOME.resolve("tables"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".yaml", ""))
          .sorted()
          .toList()
          .stream()
          .map(name -> DynamicTest.dynamicTest(name, () -> compare(name)));
    }
  }

  private static void compare(String name) throws IOException {
    ExecutionResults results = ReferenceExamples.of(name);
    GoldenFilesTest.compare(name + ".md", Markdown.of(blocks(results)));
    if (ReferenceExamples.OWN.contains(name)) {
      GoldenFilesTest.compare(name + ".console.txt", new Console(100, false).of(blocks(results)));
    }
    assertThat(Reports.of(results).console(100, false).lines().mapToInt(Width::of).max().orElse(0))
        .isLessThanOrEqualTo(Console.WIDTH + 2);
  }

  @Test
  void areThereOnlyIfTheScenarioAsks() {
    assertThat(blocks(Examples.quick())).isEmpty();
  }

  @Test
  void headToHeadSaysWhatTheDataCannotSeparate() {
    List<Table> tables = tables(ReferenceExamples.headToHead());
    assertThat(names(tables.get(0)))
        .containsExactly("Metric", "ssdb", "kvrocks", "Improvement", "Winner");
    assertThat(column(tables.get(0), 0))
        .containsExactly(
            "MEAN", "MEDIAN", "MIN", "MAX", "P95", "P99", "STDDEV", "ERRORS", "OPS/SEC");
    assertThat(column(tables.get(0), 4).get(0)).as("SET, MEAN").isEqualTo("kvrocks");
    assertThat(column(tables.get(1), 4).get(0)).as("GET, MEAN").isEqualTo("kvrocks (open)");
    assertThat(column(tables.get(2), 4).get(0)).as("DEL, MEAN").isEqualTo("ssdb");
    assertThat(column(tables.get(0), 4).get(7)).as("ERRORS").isEqualTo("-");
  }

  /** An engine without the option is the same at each of its values. */
  @Test
  void anOptionOfAnEngineIsAnAxis() throws IOException {
    ExecutionResults results = Examples.options();
    List<Table> tables = tables(results);
    assertThat(names(tables.get(0))).containsExactly("", "1 threads", "2 threads", "4 threads");
    assertThat(column(tables.get(0), 0)).containsExactly("redis", "rocksdb");
    assertThat(column(tables.get(0), 2)).containsExactly("72.0 k/s (2)", "90.0 k/s (1)");
    assertThat(column(tables.get(1), 0)).containsExactly("1", "2", "4");
    assertThat(column(tables.get(1), 1)).containsExactly("0.40x", "0.80x", "0.60x");
    assertThat(column(tables.get(2), 0))
        .containsExactly("redis io-threads=1", "redis io-threads=2", "redis io-threads=4");
    GoldenFilesTest.compare("options.md", Markdown.of(blocks(results)));
    GoldenFilesTest.compare(
        "options.svg",
        Svg.file(
            new TableReport(
                    RankingIndex.of(results),
                    new Notes(RankingIndex.of(results)),
                    TableFrame.Ties.TOGETHER)
                .files()
                .get(0)));
    Reports reports = Reports.of(results);
    GoldenFilesTest.compare("options.rankings.md", GoldenFilesTest.file(reports, "rankings.md"));
    assertThat(GoldenFilesTest.file(reports, "rankings.csv").lines().limit(1))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains(",options.io-threads,");
    assertThat(GoldenFilesTest.file(reports, "measurements.csv")).contains("options.io-threads,");
    assertThat(GoldenFilesTest.file(reports, "rankings.json"))
        .containsPattern("\"options\" ?: ?\\{\\s*\"io-threads\" ?: ?\"2\"");
  }

  @Test
  void totalTimeIsTheSumOfThePhases() {
    Table totals =
        tables(ReferenceExamples.headToHead()).stream()
            .filter(table -> names(table).get(0).equals("Operation (s)"))
            .findFirst()
            .orElseThrow();
    // 10,000 operations of each phase: 10/9 + 10/21 + 10/24 s and 10/16 + 10/21.3 + 10/17 s
    assertThat(totals.rows().get(3).texts().subList(0, 3)).containsExactly("TOTAL", "2.01", "1.69");
  }

  /** TOTAL was the time that the scenario had set, and ranked. */
  @Test
  void fixedTimesAreNotCompared() {
    ExecutionResults counted = ReferenceExamples.headToHead();
    List<RunRecord> timed =
        counted.runs().stream()
            .map(
                run ->
                    Runs.from(run)
                        .phases(
                            run.phases().stream()
                                .map(
                                    phase ->
                                        Runs.from(phase)
                                            .at(Map.of("threads", "1", "duration", "10s"))
                                            .build())
                                .toList())
                        .build())
            .toList();
    assertThat(tables(Runs.with(counted, timed)))
        .extracting(table -> names(table).get(0))
        .contains("Resource")
        .doesNotContain("Operation (s)");
  }

  @Test
  void sizesAndConnectionsHaveTheRatioToTheFirstEngine() {
    Table set = tables(ReferenceExamples.sizesAndConnections()).get(0);
    assertThat(names(set))
        .containsExactly("Data", "Conns", "redis", "ignix", "Ratio (ignix/redis)");
    assertThat(column(set, 0)).containsExactly("64 B", "64 B", "4 KiB", "4 KiB");
    assertThat(column(set, 1)).containsExactly("1", "50", "1", "50");
    assertThat(column(set, 4)).containsExactly("0.75x", "1.4x", "0.75x", "1.4x");
    Table get = tables(ReferenceExamples.sizesAndConnections()).get(1);
    assertThat(column(get, 4).get(0)).isEqualTo("1.00x equal");
  }

  /** Of 571/s against 146,000/s it was 0.00x. */
  @Test
  void aRatioHasTheDigitsThatItHasEverywhere() {
    Map<String, Object> table =
        Map.of(
            "title", "Ratios",
            "metric", "throughput",
            "show", "ratio",
            "to", "rocksdb",
            "where", Map.of("phase", "get"),
            "rows", "threads",
            "columns", "engine");
    ExecutionResults results =
        Runs.results(
            Runs.manifest("cheat", "rocksdb", "ssdb").phases("get").build(),
            List.of(
                Runs.run("cheat").at("fsync", "on").at("threads", "1").throughput(10).build(),
                Runs.run("rocksdb")
                    .at("fsync", "on")
                    .at("threads", "1")
                    .throughput(146_000)
                    .build(),
                Runs.run("ssdb").at("fsync", "on").at("threads", "1").throughput(571).build()));
    assertThat(tables(asking(results, table)).get(0).rows().get(0).texts())
        .containsExactly("1", "<0.001x ?", "0.004x ?");
  }

  /** The reason was that kvrank cannot observe its process. */
  @Test
  void anEngineThatDidNotRunAtAPointHasThatReason() {
    ExecutionResults results =
        Runs.results(
            Runs.manifest("redis", "caffeine")
                .phases("get")
                .factors(Map.of("fsync", List.of("off")))
                .build(),
            List.of(ran("redis", "off"), ran("caffeine", "none")));
    Map<String, Object> table =
        Map.of("title", "Memory", "metric", "memory", "rows", "phase", "columns", "engine");
    assertThat(Markdown.of(blocks(asking(results, table))))
        .contains("redis: not run at this factor point")
        .doesNotContain("cannot observe");
  }

  private static RunRecord ran(String engine, String fsync) {
    Map<String, String> point = Map.of("fsync", fsync);
    return Runs.run(engine)
        .at(point)
        .phases(
            Runs.phase("get")
                .at(point)
                .operation("read", 10.0)
                .elapsedNanos(1)
                .memory(1000)
                .footprint(5)
                .build())
        .build();
  }

  @Test
  void benchtoolHasTheRatioToTheLastEngineIfBothAreThere() {
    assertThat(column(tables(ReferenceExamples.benchtoolOfBoth()).get(0), 4)).containsOnly("0.69x");
    assertThat(column(tables(ReferenceExamples.benchtool()).get(0), 4)).containsOnly("-");
  }

  @Test
  void entriesAndBatchesHaveTheTimeOfEachEntry() {
    Table serial = tables(ReferenceExamples.entriesAndBatches()).get(1);
    assertThat(serial.rows().get(0).texts().subList(1, 3)).containsExactly("502", "50,162");
    assertThat(serial.rows().get(2).texts()).containsExactly("chronicle-map", "-", "-", "-", "-");
  }

  /** The row's heading stood there, as in "its 2,000 belongs to …". */
  @Test
  void aNoteOnAnEmbeddedEngineSaysMemoryWhereRowsAreNumbers() {
    Map<String, Object> table =
        Map.of(
            "title", "Memory",
            "metric", "memory",
            "where", Map.of("phase", "load"),
            "rows", "threads",
            "columns", "engine");
    assertThat(Markdown.of(blocks(asking(Examples.ssdNofsync(), table))))
        .contains("- rocksdb is embedded: its memory includes the worker's process with its JVM");
  }

  @Test
  void timesThatOthersDisturbedAreMarked() {
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (String engine : List.of("redis", "ssdb")) {
        boolean disturbed = engine.equals("redis") && repetition > 1;
        runs.add(
            Runs.run(engine)
                .at("fsync", "off")
                .repetition(repetition)
                .phases(
                    Runs.phase("get")
                        .at("fsync", "off")
                        .operation("read", 1_000)
                        .memory(1 << 20)
                        .facts(Map.of("others.cpuShare", disturbed ? "0.4" : "0.01"))
                        .build())
                .build());
      }
    }
    Map<String, Object> table =
        Map.of(
            "title",
            "Engines",
            "where",
            Map.of("phase", "get"),
            "rows",
            "engine",
            "columns",
            List.of(
                Map.of("title", "Get", "metric", "throughput"),
                Map.of(
                    "title",
                    "Mean",
                    "metric",
                    "latency-mean",
                    "where",
                    Map.of("operation", "read")),
                Map.of("title", "Total", "metric", "run-throughput"),
                Map.of("title", "Memory", "metric", "memory")));
    Manifest manifest =
        Runs.manifest("redis", "ssdb").phases("get").factor("fsync", "off").repetitions(3).build();
    String text = Markdown.of(blocks(asking(Runs.results(manifest, runs), table)));
    assertThat(text)
        .contains(
            "| redis | 1.00 k/s † | 1.00 ms † | 1.00 k/s † | 1.0 MiB |",
            "| ssdb  |   1.00 k/s |   1.00 ms |   1.00 k/s | 1.0 MiB |",
            "- †: in some repetitions, other processes or the hypervisor used over 10 % of the"
                + " machine");
  }

  /** It threw, after the measurement. */
  @Test
  void columnsWithoutTitleOrMetricAreNamedByTheirFilter() {
    Map<String, Object> table =
        Map.of(
            "title",
            "Engines",
            "where",
            Map.of("phase", "get"),
            "rows",
            Map.of("title", "all", "metric", "throughput"),
            "columns",
            List.of(
                Map.of("where", Map.of("engine", "redis")),
                Map.of("where", Map.of("engine", "rocksdb", "load", "false")),
                Map.of("text", "{phase}")));
    assertThat(names(tables(asking(Examples.ssdNofsync(), table)).get(0)))
        .containsExactly("redis", "rocksdb", "");
  }

  /** It threw, after the measurement. */
  @Test
  void theMetricOfAChartMayBeInItsRows() {
    Map<String, Object> table =
        Map.of(
            "charts",
            List.of(
                Map.of(
                    "file",
                    "threads",
                    "title",
                    "By threads",
                    "rows",
                    Map.of("for-each", "threads", "metric", "throughput"))));
    assertThat(blocks(asking(Examples.ssdNofsync(), table))).isNotEmpty();
  }

  /** 4KiB was none of the values. */
  @Test
  void valuesOfFiltersAreReadAsSettings() {
    Map<String, Object> table =
        Map.of(
            "title",
            "Large values",
            "metric",
            "throughput",
            "where",
            Map.of("phase", "get", "value-bytes", "4KiB"),
            "except",
            Map.of("threads", "0.05k"),
            "rows",
            List.of("value-bytes", "threads"),
            "columns",
            "engine");
    assertThat(column(tables(asking(ReferenceExamples.sizesAndConnections(), table)).get(0), 0))
        .containsExactly("4,096", "1");
  }

  /** It was 50 %, in percent of the smaller. */
  @Test
  void aDifferenceIsInPercentOfTheLarger() {
    Map<String, Object> table =
        Map.of(
            "title", "Difference",
            "metric", "throughput",
            "rows", "phase",
            "columns", List.of(Map.of("show", "difference"), Map.of("show", "improvement")));
    ExecutionResults results =
        Runs.results(
            Runs.manifest("redis", "rocksdb").phases("get").build(),
            List.of(
                Runs.run("redis").at("fsync", "on").throughput(150_000).build(),
                Runs.run("rocksdb").at("fsync", "on").throughput(100_000).build()));
    assertThat(tables(asking(results, table)).get(0).rows().get(0).texts())
        .containsExactly("get", "50.0 k/s (33.3%)", "50.0%");
  }

  /** All cells were empty: only the label of its row was known. */
  @Test
  void ratiosCompareWithAnEngineByTheNameOfItsOnlyRow() {
    Map<String, Object> table =
        Map.of(
            "title", "Ratios",
            "metric", "throughput",
            "show", "ratio",
            "to", "redis",
            "rows", "phase",
            "columns", "engine");
    ExecutionResults results =
        Runs.results(
            Runs.manifest("redis io-threads=2", "rocksdb").phases("get").build(),
            List.of(
                Runs.run("redis io-threads=2")
                    .options(Map.of("io-threads", "2"))
                    .at("fsync", "on")
                    .throughput(100_000)
                    .build(),
                Runs.run("rocksdb").at("fsync", "on").throughput(150_000).build()));
    assertThat(tables(asking(results, table)).get(0).rows().get(0).texts())
        .containsExactly("get", "1.5x ?");
  }

  /** Both showed throughput in k/s. */
  @Test
  void chartsHaveTheUnitAndTheRatioOfTheirRows() {
    Map<String, Object> unit =
        Map.of("for-each", "options.io-threads", "unit", "/s", "format", "#,##0");
    Map<String, Object> ratio =
        Map.of("for-each", "options.io-threads", "show", "ratio", "to", "rocksdb");
    Map<String, Object> table =
        Map.of(
            "metric",
            "throughput",
            "charts",
            List.of(
                Map.of("file", "a", "title", "A", "png", true, "rows", unit),
                Map.of("file", "b", "title", "B", "png", true, "rows", ratio)));
    RankingIndex index = RankingIndex.of(asking(Examples.options(), table));
    List<Chart.Rows> charts =
        new TableReport(index, new Notes(index), TableFrame.Ties.TOGETHER)
            .files().stream().map(Chart.Rows.class::cast).toList();
    assertThat(charts.get(0).rows().get(1).note()).contains("71,998 /s");
    assertThat(Svg.file(charts.get(0))).contains(">50000 /s<").doesNotContain("k/s");
    assertThat(charts.get(1).rows().get(1).note()).isEqualTo("0.80x");
  }

  private static ExecutionResults asking(ExecutionResults results, Map<String, Object> table) {
    Manifest manifest =
        Runs.from(results.manifest())
            .scenario("it")
            .question("?")
            .medium("ssd")
            .tables(TableRequest.of(table))
            .runs(results.runs())
            .build();
    return Runs.results(manifest, results.runs());
  }

  @Test
  void everyEngineIsOnceInEachColumnOfAnIndex() {
    Table index = tables(Examples.ssdNofsync()).get(1);
    assertThat(index.rows()).hasSize(4);
    for (int column = 1; column < index.columns().size(); column++) {
      int at = column;
      List<String> named =
          index.rows().stream()
              .map(row -> row.texts().get(at))
              .flatMap(cell -> List.of(cell.split(", ", -1)).stream())
              .filter(cell -> !cell.isEmpty() && !cell.equals("-"))
              .toList();
      assertThat(named).doesNotHaveDuplicates();
      assertThat(named.size()).isEqualTo(index.columns().get(at).name().equals("Prefix") ? 3 : 4);
    }
    assertThat(index.rows().get(3).texts().get(4)).as("redis has no prefix scan").isEqualTo("-");
  }
}
