package kvrank.report;

import java.util.List;
import java.util.Map;
import kvrank.report.chart.Look;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The section of a phase: its ranking at each factor point, with all that belongs to it. */
final class PhaseReport {

  /** A report with more comparison groups than this opens each on demand. */
  private static final int MOST_OPEN = 12;

  private final RankingIndex index;
  private final RankingTables tables;
  private final RankingReport rankings;
  private final GroupCharts charts;
  private final LatencyByRate rates;
  private final FactorCharts factors;
  private final boolean folded;

  PhaseReport(
      RankingIndex index,
      RankingTables tables,
      RankingReport rankings,
      RawSeries series,
      Map<String, Look> looks) {
    this.index = index;
    this.tables = tables;
    this.rankings = rankings;
    this.charts = new GroupCharts(index, series, looks);
    this.rates = new LatencyByRate(index, looks);
    this.factors = new FactorCharts(index, looks);
    this.folded = index.wholes().size() > MOST_OPEN;
  }

  /** The section of the phase whose factor points are {@code wholes}. */
  List<Block> of(List<Group> wholes) {
    String phase = wholes.get(0).phase();
    String workload = wholes.get(0).workload();
    Blocks blocks = new Blocks();
    blocks.heading(2, workload.equals(phase) ? phase : phase + " (workload " + workload + ")");
    if (wholes.size() > 1) {
      blocks.text("Throughput at each factor point, and in brackets the rank.");
      blocks.add(tables.byPoint(wholes));
      List<Block> effects = factors.of(wholes);
      if (folded) {
        blocks.folded("Effect of each factor on " + phase, effects);
      } else {
        blocks.addAll(effects);
      }
    }
    for (Group whole : wholes) {
      if (folded) {
        blocks.folded(whole.label(), group(whole));
      } else {
        if (wholes.size() > 1) {
          blocks.heading(3, whole.label());
        }
        blocks.addAll(group(whole));
      }
    }
    return blocks.list();
  }

  private List<Block> group(Group whole) {
    Blocks blocks = new Blocks().addAll(rankings.of(whole));
    if (index.throughput(whole).standings().isEmpty()) {
      return blocks.addAll(rates.of(whole)).list();
    }
    Blocks operations = new Blocks();
    if (index.operations(whole).size() > 1) {
      for (Group operation : index.operations(whole)) {
        operations.text(operation.operation().orElseThrow() + ":").add(tables.operation(operation));
      }
    }
    return blocks
        .addAll(charts.of(whole))
        .addAll(rates.of(whole))
        .folded("Intervals, ratios and more of " + whole.label(), List.of(tables.details(whole)))
        .folded("Each operation of " + whole.label(), operations.list())
        .folded("Resources of " + whole.label(), tables.resources(whole))
        .folded(
            "Durability of " + whole.label(),
            new Blocks().items(DurabilityNotes.figures(index, whole)).list())
        .list();
  }
}
