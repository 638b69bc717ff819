package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.report.block.Block;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.ranking.RankingText;
import kvrank.report.write.Reports;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.RunBuilder;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

/** What comes first in a page, and all that is in a terminal. */
class FirstScreenTest {

  private static final List<String> LOGGED =
      List.of(
          "redis",
          "rocksdb",
          "lmdb",
          "chronicle-map",
          "badger",
          "bbolt",
          "goleveldb",
          "pebble",
          "tidesdb",
          "libmdbx",
          "kvrocks",
          "ssdb",
          "ignix");

  private static final List<String> CACHES = List.of("caffeine", "memcached");

  /** Results as of the scenario {@code quick}, on a busy machine without some engines. */
  private static ExecutionResults quick(Set<String> missing) {
    List<String> engines = new ArrayList<>(LOGGED);
    engines.addAll(CACHES);
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : engines) {
      Map<String, String> point = Map.of("fsync", CACHES.contains(engine) ? "none" : "off");
      for (int repetition = 1; repetition <= 3; repetition++) {
        RunBuilder run = Runs.run(engine).at(point).repetition(repetition);
        double noise = 1 + 0.1 * ((repetition + engine.length()) % 3);
        double speed = 1e6 * noise / (1 + 0.1 * engines.indexOf(engine));
        boolean embedded = engine.equals("lmdb");
        runs.add(
            missing.contains(engine)
                ? run.outcome(new Outcome.Unavailable("not installed")).build()
                : run.facts(Map.of("way", embedded ? "embedded" : "process"))
                    .phases(
                        Runs.phase("load").at(point).operation("insert", 2 * speed).build(),
                        Runs.phase("zipfian")
                            .at(point)
                            .operation("read", 0.95 * speed)
                            .operation("update", 0.05 * speed)
                            .memory((10 << 20) + repetition)
                            .embedded(embedded)
                            .build())
                    .build());
      }
    }
    Manifest manifest =
        Runs.manifest(engines)
            .scenario("quick")
            .question("Which engine is worth a longer look when a power cut may cost writes?")
            .phases("load", "zipfian")
            .factor("fsync", "off")
            .repetitions(3)
            .untilSeparated(List.of(List.of("redis", "rocksdb"), List.of("best")))
            .build();
    Facts busy =
        new Facts()
            .put(Fact.MACHINE_WARNING, 1, "the load average is 1.72 with 2 cores")
            .put(Fact.MACHINE_WARNING, 2, "the hypervisor gives 1 % of its time to others");
    return new ExecutionResults(Path.of("results"), manifest, busy, runs, List.of());
  }

  /** It printed 42, with verdict and gaps in the last of 10 lines of prose. */
  @Test
  void quickEndsWithThirtyLinesOf80Columns() {
    for (Set<String> missing : List.of(Set.<String>of(), Set.of("kvrocks", "ssdb", "ignix"))) {
      Reports reports = Reports.of(quick(missing));
      String text = reports.console(80, false);
      String next = reports.next("results/quick/2026-11-27T000156Z");
      assertThat(next).contains("./kvrank run results/");
      String end = text + "Report: results/quick/2026-11-27T000156Z/report/report.html\n" + next;
      assertThat(end.lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
          .hasSizeLessThanOrEqualTo(30);
      assertThat(text)
          .contains("±, ▒: 95 % interval", "█▒", "read p99", "fsync=off: ", "fsync=none: ")
          .contains("zipfian at fsync=off: ", "The machine was busy before the runs")
          .doesNotContain("Least memory");
      if (!missing.isEmpty()) {
        assertThat(text).contains("Not ranked: kvrocks, ssdb and ignix (unavailable)\n");
      }
    }
  }

  private static List<Block> header(ExecutionResults results) {
    Report report = new Report(RankingIndex.of(results));
    List<Block> header = new ArrayList<>();
    for (Block block : report.full(new MadeUpEvidence("name: a\n"), report.requestedTables())) {
      if (block instanceof Block.Heading heading && heading.level() == 2) {
        break;
      }
      header.add(block);
    }
    return header;
  }

  private static Block.Panel panel(List<Block> header) {
    return header.stream()
        .filter(Block.Panel.class::isInstance)
        .map(Block.Panel.class::cast)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theChartIsBeforeListsAndWarnings() {
    for (ExecutionResults results :
        List.of(
            quick(Set.of("ssdb")),
            Examples.quick(),
            Examples.ssdNofsync(),
            Examples.manyEngines(),
            CrashExamples.killed(),
            ExpectationExamples.judged())) {
      List<Block> header = header(results);
      int chart = header.indexOf(panel(header));
      assertThat(header.subList(0, chart))
          .noneMatch(block -> block instanceof Block.Items || block instanceof Block.Warning);
      assertThat(header).noneMatch(Block.Items.class::isInstance);
      assertThat(panel(header).figure().chart().get()).isPresent();
    }
  }

  @Test
  void whatIsMissingIsInOneLineAndItsReasonsAreFolded() {
    List<Block> header = header(quick(Set.of("ssdb", "lmdb")));
    Block line = new Block.Text(Block.Role.OTHER, "Not ranked: lmdb and ssdb (unavailable)");
    assertThat(header.indexOf(line)).isPositive().isLessThan(header.indexOf(panel(header)));
    assertThat(header)
        .filteredOn(Block.Folded.class::isInstance)
        .singleElement()
        .extracting(folded -> ((Block.Folded) folded).blocks().toString())
        .asString()
        .contains("Memory, zipfian at fsync=off: ", "zipfian at fsync=off: ")
        .doesNotContain("Not ranked");
  }

  /** The load was first, in which most engines are alike. */
  @Test
  void ofManyChartsTheOneOfMostEnginesHasATable() {
    List<Block> header = header(Examples.manyEngines());
    Table table = panel(header).table();
    assertThat(table.caption()).startsWith("Throughput of set.");
    assertThat(table.rows()).hasSize(17);
    assertThat(header).filteredOn(Block.Figure.class::isInstance).hasSize(4);
  }

  /** The p99 of reads was beside that of updates, under the title of the first. */
  @Test
  void operationsThatDecideHavePanelsOfTheirOwn() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> threads = List.of("1", "2", "3");
    for (String number : threads) {
      Map<String, String> point = Map.of("fsync", "off", "threads", number);
      double reads = number.equals("3") ? 50 : 500;
      for (String engine : List.of("a", "b")) {
        runs.add(
            Runs.run(engine)
                .at(point)
                .phases(
                    Runs.phase("mixed")
                        .at(point)
                        .operation("read", Runs.operation(reads, 1e6, Map.of()))
                        .operation("update", Runs.operation(1000 - reads, 2e6, Map.of()))
                        .facts(Map.of("rate.asked", "1000", "rate.achieved", "1000"))
                        .build())
                .build());
      }
    }
    Manifest manifest = Runs.manifest("a", "b").phases("mixed").factor("threads", threads).build();
    List<Block> header = header(Runs.results(manifest, runs));
    List<Table> tables =
        header.stream()
            .filter(Block.Panel.class::isInstance)
            .map(block -> ((Block.Panel) block).table())
            .toList();
    assertThat(tables).hasSize(2);
    assertThat(tables.get(0).caption()).startsWith("Read p99 of mixed. ");
    assertThat(tables.get(0).columns())
        .extracting(Table.Heading::name)
        .containsExactly("engine", "threads=1", "threads=2", "threads=2 vs. 1");
    assertThat(tables.get(1).columns()).extracting(Table.Heading::name).contains("update p99");
    assertThat(header)
        .filteredOn(Block.Heading.class::isInstance)
        .extracting(block -> ((Block.Heading) block).text())
        .anyMatch(text -> text.startsWith("mixed at fsync=off (writes are not synced), read p99"))
        .anyMatch(text -> text.startsWith("mixed at fsync=off, threads=3 "));
    Report report = new Report(RankingIndex.of(Runs.results(manifest, runs)));
    assertThat(report.full(new MadeUpEvidence("name: a\n"), report.requestedTables()))
        .filteredOn(block -> block instanceof Table table && table.caption().contains(" or "))
        .hasSize(2)
        .anySatisfy(
            overview ->
                assertThat(((Table) overview).columns())
                    .extracting(Table.Heading::name)
                    .contains("threads=2, read p99", "threads=3, update p99"))
        .anySatisfy(
            ofPhase ->
                assertThat(((Table) ofPhase).rows())
                    .extracting(row -> row.texts().get(1))
                    .containsExactly("read p99", "read p99", "update p99"));
  }

  @Test
  void manyFactorPointsAreDrawnByTheFactor() {
    List<RunRecord> runs = new ArrayList<>();
    List<String> threads = List.of("1", "2", "3", "4", "5", "6", "7");
    for (String number : threads) {
      Map<String, String> point = Map.of("fsync", "off", "threads", number);
      double speed = 100 * Integer.parseInt(number);
      runs.add(Runs.run("a").at(point).throughput(speed).build());
      runs.add(Runs.run("b").at(point).throughput(2 * speed).build());
    }
    Manifest manifest = Runs.manifest("a", "b").phases("get").factor("threads", threads).build();
    assertThat(header(Runs.results(manifest, runs)))
        .filteredOn(Block.Figure.class::isInstance)
        .singleElement()
        .extracting(figure -> ((Block.Figure) figure).chart().get().orElseThrow().caption().title())
        .isEqualTo("Throughput by threads");
  }

  @Test
  void theTableHasTheMemoryOfEachEngine() {
    Table table = panel(header(quick(Set.of()))).table();
    int memory = table.columns().size() - 1;
    assertThat(table.columns().get(memory).name()).isEqualTo("process memory");
    assertThat(table.rows())
        .extracting(row -> row.texts().get(1) + " " + row.texts().get(memory))
        .contains("redis 10.0 MiB", "lmdb 10.0 MiB with JVM");
    assertThat(panel(header(ExpectationExamples.judged())).table().columns())
        .extracting(Table.Heading::name)
        .containsExactly(
            "engine",
            "threads=1",
            "threads=8",
            "threads=8 vs. 1",
            "process memory after load (rank)");
  }

  /** Two engines that are first at one number of threads each, and a third far behind. */
  private static ExecutionResults threads() {
    Map<String, List<Double>> speeds =
        Map.of("a", List.of(1e6, 5e5), "b", List.of(5e5, 9e5), "c", List.of(1e4, 2e4));
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("a", "b", "c")) {
      for (int at = 0; at < 2; at++) {
        for (int repetition = 1; repetition <= 4; repetition++) {
          double noise = Math.exp(0.6 * ((repetition + engine.charAt(0) + at) % 3 - 1));
          runs.add(
              Runs.run(engine)
                  .at(Map.of("fsync", "off", "threads", at == 0 ? "1" : "4"))
                  .repetition(repetition)
                  .throughput(speeds.get(engine).get(at) * (engine.equals("c") ? 1 : noise))
                  .build());
        }
      }
    }
    Manifest manifest =
        Runs.manifest("a", "b", "c")
            .scenario("quick")
            .question("Which engine?")
            .phases("get")
            .factor("fsync", "off")
            .factor("threads", "1", "4")
            .repetitions(4)
            .build();
    return Runs.results(manifest, runs);
  }

  /** The page had the question of the scenario, and nothing that compared its two columns. */
  @Test
  void aPageOverAFactorNamesItAndComparesItsPoints() {
    List<Block> header = header(threads());
    assertThat(header)
        .contains(
            new Block.Text(Block.Role.QUESTION, "Which engine? Compared at threads=1 and 4."));
    Table table = panel(header).table();
    int column = table.columns().size() - 1;
    assertThat(table.columns().get(column).name()).isEqualTo("threads=4 vs. 1");
    for (Table.Row row : table.rows()) {
      double one = row.cells().get(1).key();
      double four = row.cells().get(2).key();
      assertThat(row.texts().get(column))
          .startsWith(Quantities.ratio(four / one))
          .matches(row.texts().get(0).equals("c") ? "2.0x" : "[0-9.]+x \\([0-9.]+–[0-9.]+x\\)");
    }
    assertThat(Reports.of(threads()).console(80, false))
        .contains("Which engine? Compared at threads=1 and 4.", "threads=4 vs. 1");
  }

  /** The darker of two engines that are not separated looked like the winner. */
  @Test
  void enginesThatMayBeTheBestHaveOneShade() {
    Table table = panel(header(threads())).table();
    assertThat(table.rows()).extracting(row -> row.texts().get(0)).containsExactly("a", "b", "c");
    for (int column : List.of(1, 2)) {
      assertThat(table.rows())
          .extracting(row -> row.cells().get(column))
          .satisfies(
              cells -> {
                assertThat(cells.get(0).text()).endsWith(" (1–2)");
                assertThat(cells.get(0).heat()).isEqualTo(cells.get(1).heat()).isOne();
                assertThat(cells.get(0).key()).isNotEqualTo(cells.get(1).key());
                assertThat(cells.get(2).heat()).isLessThan(0.1);
              });
    }
  }

  /** A reader took 1.8–11.0x beside values of ±3 % and ±9 % for a mistake. */
  @Test
  void theIntervalOfARatioIsExplainedBelowTheVerdict() {
    Block remark = new Block.Text(Block.Role.REMARK, RankingText.RATIOS);
    List<Block> separated = header(Examples.ssdNofsync());
    assertThat(separated.toString()).contains("x as fast as ");
    assertThat(header(threads())).contains(remark);
    for (ExecutionResults results :
        List.of(Examples.ssdNofsync(), Examples.quick(), quick(Set.of()), threads())) {
      List<Block> header = header(results);
      String interval = "\\([^()]*[0-9.]+–>?[0-9.]+x\\)";
      boolean some = Pattern.compile(interval).matcher(header.toString()).find();
      assertThat(header.contains(remark)).as(header.toString()).isEqualTo(some);
      assertThat(Reports.of(results).console(80, false).contains(RankingText.RATIOS_IN_SHORT))
          .isEqualTo(some);
    }
  }
}
