package kvrank.report.section;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import kvrank.metric.Metrics;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Heading;
import kvrank.report.block.Table.Style;
import kvrank.report.figure.FactorCharts;
import kvrank.report.figure.RankingCharts;
import kvrank.report.ranking.DurabilityText;
import kvrank.report.ranking.FactorRatios;
import kvrank.report.ranking.Notes;
import kvrank.report.ranking.OverviewTables;
import kvrank.report.ranking.PointRankings;
import kvrank.report.ranking.RankingTables;
import kvrank.report.ranking.RankingText;
import kvrank.stats.Group;
import kvrank.stats.Ranking;
import kvrank.stats.RankingIndex;
import kvrank.stats.ResourceRanking;

/** The rankings that answer the question: a chart for each workload and level, and tables. */
public final class AnswerPanels {

  /** With more panels than this, only the main one has a table beside one of all phases. */
  private static final int MOST_TABLES = 2;

  /** With more factor points than this, the lines of a factor chart show them better. */
  private static final int MOST_POINTS = 6;

  private final RankingIndex index;
  private final OverviewTables overview;
  private final RankingTables tables;
  private final DurabilityText durability;
  private final RankingCharts charts;
  private final List<List<Group>> panels;

  public AnswerPanels(
      RankingIndex index, OverviewTables overview, Notes notes, List<Group> groups) {
    this.index = index;
    this.overview = overview;
    this.tables = new RankingTables(index, notes);
    this.durability = new DurabilityText(index);
    this.charts = new RankingCharts(index);
    this.panels =
        List.copyOf(
            groups.stream()
                .filter(each -> !index.decisive(each).standings().isEmpty())
                .collect(groupingBy(this::key, LinkedHashMap::new, toList()))
                .values());
  }

  /** Returns the parts that are equal in a panel's groups, whose values can be compared. */
  private List<Object> key(Group group) {
    Ranking decisive = index.decisive(group);
    return List.of(group.phase(), group.fsync(), decisive.metric(), decisive.group().operation());
  }

  /** Returns whether each panel has its own table. */
  public boolean tabled() {
    return panels.size() <= MOST_TABLES && panels.stream().allMatch(AnswerPanels::fits);
  }

  private static boolean fits(List<Group> panel) {
    return panel.size() <= MOST_POINTS;
  }

  /** Returns whether values are followed by their ranks, which needs an explanation. */
  public boolean ranksInBrackets() {
    return tabled() && panels.stream().anyMatch(panel -> panel.size() > 1);
  }

  /** Returns the groups whose ranking has a chart here. */
  public List<Group> shown() {
    return panels.stream().filter(panel -> panel.size() == 1).flatMap(List::stream).toList();
  }

  /** Returns the table of each panel, with bars of its chart, as a terminal has room for. */
  public List<Block> inShort() {
    Blocks blocks = new Blocks();
    panels.forEach(panel -> add(blocks, panel, table(panel), true));
    return blocks.list();
  }

  /**
   * Returns the main panel as chart and table: the first one or, unless each has a table, the one
   * with most engines; loads come last. If all have many factor points, it is a chart of one
   * factor.
   */
  public List<Block> first() {
    Blocks blocks = new Blocks();
    main()
        .ifPresentOrElse(
            panel -> add(blocks, panel, withMemory(panel), true),
            () -> most(panels).ifPresent(panel -> blocks.addAll(factor(panel))));
    return blocks.list();
  }

  private List<Block> factor(List<Group> panel) {
    return FactorCharts.of(index, panel).stream().limit(1).toList();
  }

  /** Returns the other panels: charts, with tables if there are few. */
  public List<Block> others() {
    Blocks blocks = new Blocks();
    Optional<List<Group>> main = main();
    boolean bars = main.filter(panel -> panel.size() == 1).isPresent();
    for (List<Group> panel : panels) {
      boolean explained = bars != (panel.size() == 1);
      if (main.filter(panel::equals).isPresent()) {
        continue;
      }
      if (tabled()) {
        add(blocks, panel, withMemory(panel), explained);
      } else if (fits(panel)) {
        blocks.add(figure(panel, explained));
      }
    }
    return blocks.list();
  }

  private Optional<List<Group>> main() {
    List<List<Group>> fitting = panels.stream().filter(AnswerPanels::fits).toList();
    return tabled() ? fitting.stream().findFirst() : most(fitting);
  }

  /** Returns the first of the panels with most engines. */
  private Optional<List<Group>> most(List<List<Group>> some) {
    return some.stream().max(comparingInt(this::prominence));
  }

  /** Returns the number of ranked engines; for a load less than for any other phase. */
  private int prominence(List<Group> panel) {
    int engines =
        panel.stream().mapToInt(each -> index.decisive(each).standings().size()).max().orElse(0);
    return index.load(panel.get(0)) ? engines - index.engines().size() : engines;
  }

  private List<String> order(List<Group> panel) {
    return PointRankings.order(panel.stream().map(index::decisive).toList());
  }

  private void add(Blocks blocks, List<Group> panel, Table table, boolean explained) {
    blocks.heading(3, title(panel)).add(new Block.Panel(figure(panel, explained), table));
  }

  private Block.Figure figure(List<Group> panel, boolean explained) {
    return new Block.Figure(
        () ->
            panel.size() == 1
                ? charts.of(panel.get(0), explained)
                : charts.of(panel, order(panel), explained));
  }

  private Table table(List<Group> panel) {
    if (panel.size() == 1) {
      return tables.brief(panel.get(0));
    }
    Table table = overview.byEngine(panel, order(panel));
    boolean each =
        table.rows().stream()
            .flatMap(row -> row.texts().stream().skip(1))
            .allMatch(text -> text.equals(Quantities.NONE) || text.endsWith(")"));
    Table titled =
        table.titled(table.caption() + ". " + (each ? RankingText.EACH_RANK : RankingText.RANKS));
    return effect(panel).map(ends -> overview.effect(titled, ends, order(panel))).orElse(titled);
  }

  /** Returns the ends of the only factor of a panel; empty if it has none or several. */
  private Optional<FactorRatios.Ends> effect(List<Group> panel) {
    List<FactorRatios.Ends> among = overview.factors().among(panel);
    return among.size() == 1 ? Optional.of(among.get(0)) : Optional.empty();
  }

  /** Returns whether a table of {@link #first} or {@link #others} has ratios with intervals. */
  public boolean hasIntervals() {
    Optional<List<Group>> main = main();
    return panels.stream()
        .filter(panel -> tabled() || main.filter(panel::equals).isPresent())
        .flatMap(panel -> effect(panel).stream())
        .anyMatch(overview.factors()::hasIntervals);
  }

  /**
   * Returns the table of a panel with the memory that {@link ResourceAnswers} compares; without it
   * if no memory is known, or if the verdict on requirements shows it.
   */
  private Table withMemory(List<Group> panel) {
    Table table = table(panel);
    if (ResourceAnswers.judged(index)) {
      return table;
    }
    List<SortedMap<String, String>> factors = panel.stream().map(Group::factors).toList();
    List<PointRankings> memories =
        PointRankings.of(
            index.phaseGroupsByPoint().stream()
                .filter(phaseGroups -> factors.contains(phaseGroups.get(0).factors()))
                .flatMap(phaseGroups -> ResourceRanking.memory(index, phaseGroups).stream()));
    for (PointRankings memory : memories) {
      table =
          table.and(
              new Heading(heading(memory, panel), Align.RIGHT, true),
              order(panel).stream().map(engine -> cell(memory, engine)).toList());
    }
    return table;
  }

  /** Returns for example {@code memory for data after delete (rank)}. */
  private String heading(PointRankings memory, List<Group> panel) {
    boolean ranked = order(panel).stream().anyMatch(engine -> memory.ranks(engine).isPresent());
    String phase = memory.groups().get(0).phase();
    boolean data = memory.metric().equals(Metrics.DATA_MEMORY);
    return (data ? memory.metric().title() : "process memory")
        + (phase.equals(panel.get(0).phase()) ? "" : " after " + phase)
        + (ranked ? " (rank)" : "");
  }

  /** Returns for example {@code 64.1–72.4 MiB with JVM (2–3)}. */
  private Cell cell(PointRankings memory, String engine) {
    double[] values = memory.values(engine);
    if (values.length == 0) {
      return new Cell(Quantities.NONE, Double.NaN, Style.PLAIN);
    }
    String text =
        memory.value(engine)
            + (ResourceAnswers.embedded(index, memory, engine) ? " with JVM" : "")
            + memory.ranks(engine).map(ranks -> " (" + ranks + ")").orElse("");
    return new Cell(text, values[values.length - 1], Style.PLAIN);
  }

  /** Returns the metric after a comma, if the same phase has panels of several. */
  private String metric(List<Group> panel) {
    Group first = panel.get(0);
    long alike =
        panels.stream()
            .map(other -> other.get(0))
            .filter(other -> other.phase().equals(first.phase()))
            .filter(other -> other.fsync().equals(first.fsync()))
            .count();
    return alike > 1 ? ", " + RankingText.title(index, index.decisive(first)) : "";
  }

  /** Returns for example {@code get at fsync=off (writes are not synced), level proven}. */
  private String title(List<Group> panel) {
    Group first = panel.get(0);
    String place = panel.size() == 1 ? first.label() : first.phase() + " at fsync=" + first.fsync();
    String bound = index.searchBound(first).map(", highest rate with "::concat).orElse("");
    List<String> proofs = panel.stream().map(durability::shared).distinct().toList();
    String proof = proofs.size() == 1 ? proofs.get(0) : "";
    String promise = first.promise().isEmpty() ? "" : " (" + first.promise() + ")";
    String runs = tables.sharedRuns(panel);
    return place
        + promise
        + metric(panel)
        + bound
        + (proof.isEmpty() ? "" : ", level " + proof)
        + (runs.isEmpty() ? "" : ", " + runs + (runs.equals("1") ? " run each" : " runs each"))
        + (panel.size() == 1 ? RankingText.undecided(index.decisive(first), ", ") : "");
  }
}
