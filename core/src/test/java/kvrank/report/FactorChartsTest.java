package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import kvrank.report.block.Block;
import kvrank.report.chart.Chart;
import kvrank.report.figure.FactorCharts;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class FactorChartsTest {

  /** A line went back and forth. */
  @Test
  void linesAscendWhateverTheOrderOfTheScenario() {
    List<RunRecord> runs = new ArrayList<>();
    for (String threads : List.of("8", "1", "64", "2")) {
      runs.add(Runs.run("redis").at("threads", threads).throughput(1000).build());
    }
    RankingIndex index =
        RankingIndex.of(
            Runs.results(
                Runs.manifest("redis").phases("get").factor("threads", "8", "1", "64", "2").build(),
                runs));

    List<Block> figures = FactorCharts.of(index, index.phaseGroups());

    assertThat(figures).hasSize(1);
    Chart chart = ((Block.Figure) figures.get(0)).chart().get().orElseThrow();
    assertThat(((Chart.Lines) chart).lines().get(0).points())
        .extracting(Chart.Point::x)
        .containsExactly(1.0, 2.0, 8.0, 64.0);
  }
}
