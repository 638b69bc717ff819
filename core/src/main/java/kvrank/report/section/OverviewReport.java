package kvrank.report.section;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import kvrank.metric.Metrics;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Table;
import kvrank.report.figure.GroupCharts;
import kvrank.report.ranking.OverviewTables;
import kvrank.report.ranking.RankingText;
import kvrank.report.ranking.ResourceTables;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** All phases and factor points together: ratios to the best engine, memory and storage. */
public final class OverviewReport {

  /** With more factor points than this, an overview names only the best engines of each. */
  private static final int MOST_POINTS = 3;

  private final RankingIndex index;
  private final OverviewTables tables;

  public OverviewReport(RankingIndex index, OverviewTables tables) {
    this.index = index;
    this.tables = tables;
  }

  /** Returns the ratios of each phase and factor point; of many points, only the best engines. */
  public List<Block> tables() {
    Blocks blocks = new Blocks();
    List<List<Group>> points = List.copyOf(index.phaseGroupsByPoint());
    if (points.size() > MOST_POINTS) {
      return blocks
          .text(
              "The best engine of each phase at each factor point; several if the data cannot"
                  + " separate them.")
          .add(tables.best(points))
          .list();
    }
    if (points.size() > 1 && points.stream().allMatch(phaseGroups -> phaseGroups.size() == 1)) {
      List<Group> groups = points.stream().map(phaseGroups -> phaseGroups.get(0)).toList();
      return blocks.text(RankingText.RANKS).add(tables.byEngine(groups, index.engines())).list();
    }
    blocks.text(
        "Ratio to the best engine of each phase by throughput, or by p99 at a given rate. "
            + RankingText.RANKS);
    for (List<Group> phaseGroups : points) {
      if (points.size() > 1) {
        blocks.heading(3, phaseGroups.get(0).point());
      }
      blocks.add(tables.overview(phaseGroups));
    }
    return blocks.list();
  }

  /** Returns a chart of the ratios to the best for each factor point, if there are few. */
  public List<Block> charts(GroupCharts charts, List<Group> answering) {
    Collection<List<Group>> points = index.phaseGroupsByPoint();
    return points.size() > MOST_POINTS
        ? List.of()
        : points.stream()
            .map(each -> each.stream().filter(answering::contains).toList())
            .<Block>map(groups -> new Block.Figure(() -> charts.ratios(groups)))
            .toList();
  }

  /** Returns memory and storage at the end of each phase; nothing if unknown. */
  public List<Block> resources() {
    ResourceTables ends = new ResourceTables(index);
    List<Table> resources = new ArrayList<>();
    for (List<Group> phaseGroups : index.phaseGroupsByPoint()) {
      resources.addAll(ends.byPhase(Metrics.MEMORY, phaseGroups));
      resources.addAll(ends.byPhase(Metrics.DATA_MEMORY, phaseGroups));
      resources.addAll(ends.byPhase(Metrics.FOOTPRINT, phaseGroups));
    }
    if (resources.isEmpty()) {
      return List.of();
    }
    Blocks blocks =
        new Blocks()
            .heading(2, "Memory and storage")
            .text(
                "Memory leaves out pages of files. It is counted for the server's process; for an embedded"
                    + " engine, for the client's process with its JVM. Storage is in allocated blocks.");
    return index.phaseGroupsByPoint().size() > MOST_POINTS
        ? blocks.folded("At the end of each phase", resources).list()
        : blocks.addAll(resources).list();
  }
}
