package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import kvrank.results.Results;
import kvrank.stats.RankingIndex;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ReferenceTablesTest {

  private static List<Block> blocks(Results results) {
    RankingIndex board = RankingIndex.of(results);
    return ReferenceTables.of(board, new Exclusions(board), KvbenchTables.Ties.TOGETHER);
  }

  private static List<Table> tables(Results results) {
    return blocks(results).stream()
        .filter(Block.Grid.class::isInstance)
        .map(block -> ((Block.Grid) block).table())
        .toList();
  }

  private static List<String> names(Table table) {
    return table.columns().stream().map(Table.Heading::name).toList();
  }

  private static List<String> column(Table table, int index) {
    return table.rows().stream().map(row -> row.cells().get(index)).toList();
  }

  @TestFactory
  Stream<DynamicTest> areAsTheyWereLastLookedAt() {
    return Stream.of(
            ReferenceExamples.headToHead(),
            ReferenceExamples.sizesAndConnections(),
            ReferenceExamples.benchtool(),
            ReferenceExamples.entriesAndBatches())
        .map(
            results ->
                DynamicTest.dynamicTest(results.manifest().scenario(), () -> compare(results)));
  }

  private static void compare(Results results) throws IOException {
    String name = results.manifest().scenario();
    GoldenFilesTest.compare(name + ".console.txt", new Console(false).of(blocks(results)));
    GoldenFilesTest.compare(name + ".md", Markdown.of(blocks(results)));
    assertThat(Reports.console(results, false).lines().mapToInt(Width::of).max().orElse(0))
        .isLessThanOrEqualTo(Console.WIDTH + 2);
  }

  @Test
  void areThereOnlyIfTheScenarioAsks() {
    assertThat(blocks(Examples.quick())).isEmpty();
  }

  @Test
  void headToHeadSaysTiedWhereTheDataCannotSeparate() {
    List<Table> tables = tables(ReferenceExamples.headToHead());
    assertThat(names(tables.get(0)))
        .containsExactly("Metric", "ssdb", "kvrocks", "Improvement", "Winner");
    assertThat(column(tables.get(0), 0))
        .containsExactly("MEAN", "MEDIAN", "MIN", "MAX", "P95", "P99", "ERRORS");
    assertThat(column(tables.get(0), 4).get(0)).as("SET, MEAN").isEqualTo("kvrocks");
    assertThat(column(tables.get(1), 4).get(0)).as("GET, MEAN").isEqualTo("tied");
    assertThat(column(tables.get(2), 4).get(0)).as("DEL, MEAN").isEqualTo("ssdb");
    assertThat(column(tables.get(0), 4).get(6)).as("ERRORS").isEqualTo("-");
  }

  @Test
  void totalTimeIsTheSumOfThePhases() {
    Table totals =
        tables(ReferenceExamples.headToHead()).stream()
            .filter(table -> names(table).get(0).equals("Operation (s)"))
            .findFirst()
            .orElseThrow();
    // 10,000 operations of each phase: 10/9 + 10/21 + 10/24 s and 10/16 + 10/21.3 + 10/17 s
    assertThat(totals.rows().get(3).cells().subList(0, 3)).containsExactly("TOTAL", "2.00", "1.68");
  }

  @Test
  void sizesAndConnectionsHaveTheRatioToTheFirstEngine() {
    Table set = tables(ReferenceExamples.sizesAndConnections()).get(0);
    assertThat(names(set))
        .containsExactly("Data", "Conns", "redis", "ignix", "Ratio (ignix/redis)");
    assertThat(column(set, 0)).containsExactly("64 B", "64 B", "4 KiB", "4 KiB");
    assertThat(column(set, 1)).containsExactly("1", "50", "1", "50");
    assertThat(column(set, 4)).containsExactly("0.75x", "1.40x", "0.75x", "1.40x");
    Table get = tables(ReferenceExamples.sizesAndConnections()).get(1);
    assertThat(column(get, 4).get(0)).isEqualTo("1.00x tied");
  }

  @Test
  void benchtoolHasTheRatioToTheLastEngineIfBothAreThere() {
    assertThat(column(tables(ReferenceExamples.benchtoolOfBoth()).get(0), 4)).containsOnly("0.69x");
    assertThat(column(tables(ReferenceExamples.benchtool()).get(0), 4)).containsOnly("-");
  }

  @Test
  void entriesAndBatchesHaveTheTimeOfEachEntry() {
    Table serial = tables(ReferenceExamples.entriesAndBatches()).get(1);
    assertThat(serial.rows().get(0).cells().subList(1, 3))
        .containsExactly("500 (1=)", "50,000 (1=)");
    assertThat(serial.rows().get(2).cells()).containsExactly("chronicle-map", "-", "-", "-", "-");
  }
}
