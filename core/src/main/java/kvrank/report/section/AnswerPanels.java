package kvrank.report.section;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Table;
import kvrank.report.figure.RankingCharts;
import kvrank.report.ranking.RankingTables;
import kvrank.stats.Group;
import kvrank.stats.RankingIndex;

/** The rankings that answer the question: a chart and a table for each workload and level. */
public final class AnswerPanels {

  /** With more panels than this, one table of all phases replaces the table of each. */
  private static final int MOST_TABLES = 2;

  private static final int MOST_ON_A_SCREEN = 6;

  /** With more factor points than this, the lines of a factor chart show them better. */
  private static final int MOST_POINTS = 6;

  private final RankingIndex index;
  private final RankingTables tables;
  private final RankingCharts charts;
  private final Collection<List<Group>> panels;

  public AnswerPanels(RankingIndex index, RankingTables tables, List<Group> groups) {
    this.index = index;
    this.tables = tables;
    this.charts = new RankingCharts(index);
    this.panels =
        groups.stream()
            .filter(each -> !index.throughput(each).standings().isEmpty())
            .collect(
                groupingBy(
                    each -> List.of(each.phase(), each.fsync(), index.decisive(each).metric()),
                    LinkedHashMap::new,
                    toList()))
            .values();
  }

  /** Returns whether each panel has its own table. */
  public boolean tabled() {
    return panels.size() <= MOST_TABLES
        && panels.stream().allMatch(panel -> panel.size() <= MOST_POINTS);
  }

  /** Returns whether the charts fill a screen, so that the table of all phases comes first. */
  public boolean many() {
    return panels.size() > MOST_ON_A_SCREEN;
  }

  /** Returns an explanation of the tables; empty without tables. */
  public String reading() {
    if (!tabled()) {
      return "";
    }
    boolean bars = panels.stream().anyMatch(panel -> panel.size() == 1);
    boolean points = panels.stream().anyMatch(panel -> panel.size() > 1);
    return (bars ? "± and the shaded end of a bar are 95 % intervals." : "")
        + (bars && points ? " " : "")
        + (points ? RankingTables.RANKS : "");
  }

  /** Returns the groups whose ranking has a chart here. */
  public List<Group> shown() {
    return panels.stream().filter(panel -> panel.size() == 1).flatMap(List::stream).toList();
  }

  /** Returns a chart for each panel, with its table if there are few. */
  public List<Block> blocks() {
    Blocks blocks = new Blocks();
    if (!tabled() && panels.stream().anyMatch(panel -> panel.size() == 1)) {
      blocks.text(RankingCharts.READING);
    }
    if (!tabled() && panels.stream().anyMatch(panel -> panel.size() > 1)) {
      blocks.text(RankingCharts.READING_POINTS);
    }
    for (List<Group> panel : panels) {
      Group first = panel.get(0);
      List<String> order = RankingTables.order(panel.stream().map(index::decisive).toList());
      boolean one = panel.size() == 1;
      Block.Figure figure =
          new Block.Figure(
              () -> one ? charts.of(first, tabled()) : charts.of(panel, order, tabled()));
      if (tabled()) {
        blocks.heading(3, title(panel));
        Table table = one ? tables.brief(first) : tables.byEngine(panel, order);
        String reading = one ? "" : ". " + RankingTables.RANKS;
        blocks.add(new Block.Panel(figure, table.titled(table.caption() + reading)));
      } else if (panel.size() <= MOST_POINTS) {
        blocks.add(figure);
      }
    }
    return blocks.list();
  }

  /** Returns for example {@code get at fsync=off (writes are not synced), level proven}. */
  private String title(List<Group> panel) {
    Group first = panel.get(0);
    String place = panel.size() == 1 ? first.label() : first.phase() + " at fsync=" + first.fsync();
    String bound = index.searchBound(first).map(", highest rate with "::concat).orElse("");
    String proof = panel.size() == 1 ? tables.sharedProof(first) : "";
    String promise = first.promise().isEmpty() ? "" : " (" + first.promise() + ")";
    String runs = tables.sharedRuns(panel);
    return place
        + promise
        + bound
        + (proof.isEmpty() ? "" : ", level " + proof)
        + (runs.isEmpty() ? "" : ", " + runs + (runs.equals("1") ? " run each" : " runs each"))
        + (panel.size() == 1 ? RankingTables.undecided(index.decisive(first), ", ") : "");
  }
}
