package kvrank.report.section;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.figure.FactorCharts;
import kvrank.report.figure.GroupCharts;
import kvrank.report.figure.LatencyByRate;
import kvrank.report.ranking.Labels;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.OverviewTables;
import kvrank.report.ranking.RankingTables;
import kvrank.report.ranking.RankingText;
import kvrank.report.ranking.ResourceTables;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;

/** The section of a phase: its ranking at each factor point, charts and details. */
public final class PhaseReport {

  /** With more comparison groups than this, a report folds each. */
  private static final int MOST_OPEN = 12;

  private final RankingIndex index;
  private final OverviewTables overview;
  private final RankingTables tables;
  private final ResourceTables resources;
  private final Notes notes;

  public PhaseReport(RankingIndex index, OverviewTables overview, Notes notes) {
    this.index = index;
    this.overview = overview;
    this.tables = new RankingTables(index, notes);
    this.resources = new ResourceTables(index);
    this.notes = notes;
  }

  /**
   * Returns the section of the phase whose factor points are {@code phaseGroups}; the rankings of
   * those {@code shown} have a chart elsewhere.
   */
  public List<Block> of(List<Group> phaseGroups, GroupCharts charts, Collection<Group> shown) {
    String phase = phaseGroups.get(0).phase();
    String workload = phaseGroups.get(0).workload();
    boolean folded = index.phaseGroups().size() > MOST_OPEN;
    Blocks blocks = new Blocks();
    blocks.heading(2, workload.equals(phase) ? phase : phase + " (workload " + workload + ")");
    if (phaseGroups.size() > 1) {
      blocks.text(RankingText.RANKS);
      blocks.add(overview.byPoint(phaseGroups));
      List<Block> effects = new ArrayList<>(overview.effects(phaseGroups));
      effects.addAll(FactorCharts.of(index, phaseGroups));
      if (folded) {
        blocks.folded("Effect of each factor on " + phase, effects);
      } else {
        blocks.addAll(effects);
      }
    }
    for (Group phaseGroup : phaseGroups) {
      if (folded) {
        blocks.folded(phaseGroup.label(), group(phaseGroup, charts, shown));
      } else {
        if (phaseGroups.size() > 1) {
          blocks.heading(3, phaseGroup.label());
        }
        blocks.addAll(group(phaseGroup, charts, shown));
      }
    }
    return blocks.list();
  }

  private List<Block> group(Group phaseGroup, GroupCharts charts, Collection<Group> shown) {
    Blocks blocks = new Blocks().addAll(ranking(phaseGroup));
    if (index.throughput(phaseGroup).standings().isEmpty()) {
      return blocks.addAll(LatencyByRate.of(index, phaseGroup)).list();
    }
    Blocks operations = new Blocks();
    if (index.operations(phaseGroup).size() > 1) {
      for (Group operation : index.operations(phaseGroup)) {
        operations
            .text(
                operation.operation().orElseThrow()
                    + RankingText.undecided(index.ofOperation(operation), ", ")
                    + ":")
            .add(tables.operation(operation));
      }
    }
    List<Block> used =
        new Blocks()
            .addAll(resources.ofPhase(phaseGroup))
            .items(notes.unmeasurable(phaseGroup))
            .list();
    List<Block> storage = new Blocks().items(notes.storage(phaseGroup)).list();
    List<Block> proofs = new Blocks().items(notes.proofs(phaseGroup)).list();
    return blocks
        .addAll(charts.of(phaseGroup, shown))
        .addAll(LatencyByRate.of(index, phaseGroup))
        .folded(
            "Intervals, ratios and more of " + phaseGroup.label(),
            List.of(tables.details(phaseGroup)))
        .folded("Each operation of " + phaseGroup.label(), operations.list())
        .folded("Resources of " + phaseGroup.label(), used)
        .folded("Where the data of " + phaseGroup.label() + " is", storage)
        .folded("Durability of " + phaseGroup.label(), proofs)
        .list();
  }

  /**
   * Returns the phase's own settings, shared labels, the ranking, and the engines without a rank.
   */
  public List<Block> ranking(Group phaseGroup) {
    Blocks blocks = new Blocks();
    index
        .searchBound(phaseGroup)
        .ifPresent(bound -> blocks.text("The highest rate with " + bound + ", by engine."));
    blocks.text(ownSettings(phaseGroup));
    Ranking ranking = index.decisive(phaseGroup);
    if (index.shown(phaseGroup).standings().isEmpty()) {
      blocks.text("No engine can be ranked here.");
    } else {
      Labels labels = new Labels(index, phaseGroup);
      labels.shared().forEach(each -> blocks.text(each + "."));
      blocks.text(
          ranking.standings().isEmpty()
              ? "There are no ranks, as there are "
                  + Verdicts.tooFew(index, List.of(phaseGroup))
                  + "."
              : RankingText.undecided(ranking, "There are no ranks: "));
      blocks.add(tables.ranking(phaseGroup, labels));
    }
    return blocks.items(notes.below(phaseGroup)).list();
  }

  /**
   * Returns the phase's settings that are not part of its factor point; empty if there are none.
   */
  private String ownSettings(Group phaseGroup) {
    SortedMap<String, String> own = new TreeMap<>();
    for (String engine : index.engines()) {
      index.records(phaseGroup, engine).forEach(phase -> own.putAll(phase.settings()));
    }
    own.entrySet().removeAll(phaseGroup.factors().entrySet());
    return own.isEmpty() ? "" : "Settings of this phase: " + Labels.settings(own) + ".";
  }
}
