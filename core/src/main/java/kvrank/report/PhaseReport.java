package kvrank.report;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;

/** The ranking of a phase at each factor point, with all that belongs to it. */
final class PhaseReport {

  /** A report with more comparison groups than this opens each on demand. */
  private static final int MOST_OPEN = 12;

  private final RankingIndex index;
  private final RankingTables tables;
  private final Notes notes;

  PhaseReport(RankingIndex index, RankingTables tables, Notes notes) {
    this.index = index;
    this.tables = tables;
    this.notes = notes;
  }

  /** The section of the phase whose factor points are {@code wholes}. */
  List<Block> of(List<Group> wholes, GroupCharts charts) {
    String phase = wholes.get(0).phase();
    String workload = wholes.get(0).workload();
    boolean folded = index.wholes().size() > MOST_OPEN;
    Blocks blocks = new Blocks();
    blocks.heading(2, workload.equals(phase) ? phase : phase + " (workload " + workload + ")");
    if (wholes.size() > 1) {
      blocks.text("Throughput at each factor point, and in brackets the rank.");
      blocks.add(tables.byPoint(wholes));
      List<Block> effects = FactorCharts.of(index, wholes);
      if (folded) {
        blocks.folded("Effect of each factor on " + phase, effects);
      } else {
        blocks.addAll(effects);
      }
    }
    for (Group whole : wholes) {
      if (folded) {
        blocks.folded(whole.label(), group(whole, charts));
      } else {
        if (wholes.size() > 1) {
          blocks.heading(3, whole.label());
        }
        blocks.addAll(group(whole, charts));
      }
    }
    return blocks.list();
  }

  private List<Block> group(Group whole, GroupCharts charts) {
    Blocks blocks = new Blocks().addAll(ranking(whole));
    if (index.throughput(whole).standings().isEmpty()) {
      return blocks.addAll(LatencyByRate.of(index, whole)).list();
    }
    Blocks operations = new Blocks();
    if (index.operations(whole).size() > 1) {
      for (Group operation : index.operations(whole)) {
        operations.text(operation.operation().orElseThrow() + ":").add(tables.operation(operation));
      }
    }
    List<Block> proofs = new Blocks().items(notes.proofs(whole)).list();
    return blocks
        .addAll(charts.of(whole))
        .addAll(LatencyByRate.of(index, whole))
        .folded("Intervals, ratios and more of " + whole.label(), List.of(tables.details(whole)))
        .folded("Each operation of " + whole.label(), operations.list())
        .folded("Resources of " + whole.label(), tables.resources(whole))
        .folded("Durability of " + whole.label(), proofs)
        .list();
  }

  /** Own settings, labels that rows share, the ranking, and what is not ranked. */
  List<Block> ranking(Group whole) {
    Blocks blocks = new Blocks();
    index
        .searchBound(whole)
        .ifPresent(bound -> blocks.text("The highest rate with " + bound + ", by engine."));
    blocks.text(ownSettings(whole));
    Ranking ranking = index.decisive(whole);
    if (ranking.standings().isEmpty()) {
      blocks.text("No engine can be ranked here.");
    } else {
      Labels labels = new Labels(index, whole);
      labels.shared().forEach(each -> blocks.text(each + "."));
      blocks.add(tables.ranking(whole, labels)).text(detectable(ranking));
    }
    return blocks.items(notes.below(whole)).list();
  }

  /** What more repetitions would be needed for; empty where every engine has a rank of its own. */
  private static String detectable(Ranking ranking) {
    boolean open = ranking.standings().stream().anyMatch(each -> !each.ranks().exact());
    double ratio = open ? ranking.detectable() : Double.NaN;
    return Double.isNaN(ratio)
        ? ""
        : "The smallest difference from the best that these repetitions would have shown in 4 of"
            + " 5 tables: %s. More repetitions show smaller ones."
                .formatted(Quantities.factor(ratio));
  }

  /** What holds in this phase and not at its factor point; empty if nothing does. */
  private String ownSettings(Group whole) {
    SortedMap<String, String> own = new TreeMap<>();
    for (String engine : index.engines()) {
      index.records(whole, engine).forEach(phase -> own.putAll(phase.settings()));
    }
    own.entrySet().removeAll(whole.factors().entrySet());
    return own.isEmpty() ? "" : "Settings of this phase: " + Labels.settings(own) + ".";
  }
}
