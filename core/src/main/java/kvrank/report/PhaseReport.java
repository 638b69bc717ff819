package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
      Looks looks) {
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
    Group first = wholes.get(0);
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Heading(
            2,
            first.workload().equals(first.phase())
                ? first.phase()
                : first.phase() + " (workload " + first.workload() + ")"));
    if (wholes.size() > 1) {
      blocks.add(new Block.Text("Throughput at each factor point, and in brackets the rank."));
      blocks.add(new Block.Grid(tables.byPoint(wholes)));
      List<Block> effects = factors.of(wholes);
      if (folded && !effects.isEmpty()) {
        blocks.add(new Block.Folded("Effect of each factor on " + first.phase(), effects));
      } else {
        blocks.addAll(effects);
      }
    }
    for (Group whole : wholes) {
      if (folded) {
        blocks.add(new Block.Folded(whole.label(), group(whole)));
      } else {
        if (wholes.size() > 1) {
          blocks.add(new Block.Heading(3, whole.label()));
        }
        blocks.addAll(group(whole));
      }
    }
    return blocks;
  }

  private List<Block> group(Group whole) {
    List<Block> blocks = new ArrayList<>(rankings.of(whole));
    if (index.throughput(whole).standings().isEmpty()) {
      blocks.addAll(rates.of(whole));
      return blocks;
    }
    blocks.addAll(charts.of(whole));
    blocks.addAll(rates.of(whole));
    blocks.add(fold("Intervals, ratios and more of " + whole.label(), tables.details(whole)));
    List<Group> operations = index.operations(whole);
    if (operations.size() > 1) {
      blocks.add(
          new Block.Folded(
              "Each operation of " + whole.label(),
              operations.stream()
                  .flatMap(
                      operation ->
                          Stream.<Block>of(
                              new Block.Text(operation.operation().orElseThrow() + ":"),
                              new Block.Grid(tables.operation(operation))))
                  .toList()));
    }
    tables
        .resources(whole)
        .ifPresent(table -> blocks.add(fold("Resources of " + whole.label(), table)));
    List<String> figures = DurabilityNotes.figures(index, whole);
    if (!figures.isEmpty()) {
      blocks.add(
          new Block.Folded("Durability of " + whole.label(), List.of(new Block.Items(figures))));
    }
    return blocks;
  }

  private static Block fold(String title, Table table) {
    return new Block.Folded(title, List.of(new Block.Grid(table.titled(""))));
  }
}
