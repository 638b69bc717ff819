package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvrank.results.Results;
import kvrank.stats.RankingIndex;
import org.junit.jupiter.api.Test;

class KvbenchTablesTest {

  private static List<Block> blocks(Results results) {
    RankingIndex board = RankingIndex.of(results);
    return new KvbenchTables(board, new Exclusions(board), KvbenchTables.Ties.TOGETHER).blocks();
  }

  private static List<Table> tables(Results results) {
    return blocks(results).stream()
        .filter(Block.Grid.class::isInstance)
        .map(block -> ((Block.Grid) block).table())
        .toList();
  }

  @Test
  void areThereOnlyIfTheScenarioAsks() {
    assertThat(blocks(Examples.quick())).isEmpty();
  }

  @Test
  void haveTheColumnsOfTheReference() {
    List<Table> tables = tables(Examples.ssdNofsync());
    assertThat(tables).hasSize(4); // two of each of two thread counts
    assertThat(tables.get(0).columns())
        .extracting(Table.Heading::name)
        .containsExactly(
            "name",
            "BatchWrite cost(s)",
            "MemUsage(MiB)",
            "DiskUsage(MiB)",
            "Prefix op/s",
            "Set op/s",
            "Get op/s",
            "Setmixed op/s",
            "Getmixed op/s",
            "Del op/s");
    assertThat(tables.get(1).columns())
        .extracting(Table.Heading::name)
        .containsExactly(
            "Rank",
            "BatchWrite",
            "MemUsage",
            "DiskUsage",
            "Prefix",
            "Set",
            "Get",
            "Setmixed",
            "Getmixed",
            "Delete");
  }

  @Test
  void everyEngineIsOnceInEachColumnOfTheIndex() {
    Table index = tables(Examples.ssdNofsync()).get(1);
    assertThat(index.rows()).hasSize(4);
    for (int column = 1; column < index.columns().size(); column++) {
      int at = column;
      List<String> named =
          index.rows().stream()
              .map(row -> row.cells().get(at))
              .flatMap(cell -> List.of(cell.split(" = ", -1)).stream())
              .filter(cell -> !cell.isEmpty() && !cell.equals("-"))
              .toList();
      assertThat(named).doesNotHaveDuplicates();
      assertThat(named.size()).isEqualTo(index.columns().get(at).name().equals("Prefix") ? 3 : 4);
    }
    assertThat(index.rows().get(3).cells().get(4)).as("redis has no prefix scan").isEqualTo("-");
  }
}
