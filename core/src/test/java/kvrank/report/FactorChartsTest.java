package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvrank.metric.Metrics;
import kvrank.report.block.Block;
import kvrank.report.chart.Chart;
import kvrank.report.figure.FactorCharts;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.OverviewTables;
import kvrank.report.section.AnswerPanels;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class FactorChartsTest {

  private static RankingIndex atRates(String factor, String... values) {
    List<RunRecord> runs = new ArrayList<>();
    for (String value : values) {
      for (int i = 1; i <= 6; i++) {
        Map<String, String> point = Map.of("fsync", "off", factor, value);
        boolean free = value.equals("max");
        double rate = factor.equals("rate") && !free ? Double.parseDouble(value) : 2000;
        String engine = i % 2 == 0 ? "a" : "b";
        PhaseRecord phase =
            Runs.phase("get")
                .at(point)
                .operation("read", Runs.operation(rate, i % 2 == 0 ? 1e5 : 1e6, Map.of()))
                .facts(
                    free ? Map.of() : Map.of("rate.asked", "" + rate, "rate.achieved", "" + rate))
                .build();
        runs.add(Runs.run(engine).at(point).repetition((i + 1) / 2).phases(phase).build());
      }
    }
    return RankingIndex.of(
        Runs.results(
            Runs.manifest("a", "b").phases("get").factor(factor, values).repetitions(3).build(),
            runs));
  }

  /** Throughput was drawn, which the rate fixes. */
  @Test
  void theLatencyIsDrawnAtAGivenRate() {
    RankingIndex index = atRates("threads", "1", "2", "4", "8");
    assertThat(FactorCharts.of(index, index.phaseGroups()))
        .map(figure -> ((Block.Figure) figure).chart().get().orElseThrow().caption().title())
        .containsExactly("p99 of read by threads");
  }

  /** Nanoseconds were drawn as operations per second. */
  @Test
  void pointsThatAreDecidedByAnotherMetricHaveAChartOfTheirOwn() {
    RankingIndex index = atRates("rate", "max", "20", "5000");
    assertThat(index.phaseGroups())
        .map(group -> index.decisive(group).metric())
        .containsExactly(Metrics.THROUGHPUT, Metrics.LATENCY_P99, Metrics.LATENCY_P99);
    Notes notes = new Notes(index);
    OverviewTables tables = new OverviewTables(index, notes);
    assertThat(new AnswerPanels(index, tables, notes, index.phaseGroups()).shown())
        .as("not at 20/s, with too few requests")
        .containsExactly(index.phaseGroups().get(0), index.phaseGroups().get(2));
    assertThat(tables.byPoint(index.phaseGroups()).caption()).isEqualTo("Throughput or p99 of get");
  }

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
