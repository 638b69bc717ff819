package kvrank.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import kvrank.report.chart.Chart;
import kvrank.stats.RankingIndex;
import kvrank.table.ChartSpec;
import kvrank.table.Dimensions;
import kvrank.table.LineSpec;
import kvrank.table.TableSpec;

/** The tables and charts that a scenario asks for, filled from the rankings. */
final class TableReport {

  /** The footnotes of the tables at the same point, which are not said again. */
  private final Set<String> said = new HashSet<>();

  private final List<Block> blocks = new ArrayList<>();
  private final Map<ChartSpec, List<Chart>> charts = new LinkedHashMap<>();

  /** Returns the tables in the order of the scenario; none if it asks for none. */
  static List<Block> blocks(RankingIndex board, Exclusions exclusions, TableFrame.Ties ties) {
    return of(board, exclusions, ties).blocks;
  }

  /** Returns the charts that go with them. */
  static List<Chart> charts(RankingIndex board) {
    List<Chart> all = new ArrayList<>();
    of(board, new Exclusions(board), TableFrame.Ties.TOGETHER)
        .charts
        .values()
        .forEach(each -> all.addAll(numbered(each)));
    return all;
  }

  private static TableReport of(RankingIndex board, Exclusions exclusions, TableFrame.Ties ties) {
    TableReport report = new TableReport();
    TableCells cells = new TableCells(board);
    for (TableSpec table : board.results().tables()) {
      TableFrame frame = TableFrame.of(cells, ties).in(table);
      Set<String> texts = new HashSet<>();
      for (View view : views(table, frame, cells.all())) {
        report.said.clear();
        report.said.addAll(exclusions.everywhere());
        report.blocks.addAll(report.table(table, frame, view, texts));
      }
    }
    return report;
  }

  /** One chart for each point has a number in its file's name. */
  private static List<Chart> numbered(List<Chart> charts) {
    if (charts.size() == 1) {
      return charts;
    }
    List<Chart> numbered = new ArrayList<>();
    for (int i = 0; i < charts.size(); i++) {
      numbered.add(TableCharts.numbered(charts.get(i), i + 1));
    }
    return numbered;
  }

  /** What a table is made for, each. */
  private static List<View> views(TableSpec spec, TableFrame frame, View all) {
    View some = all.where(spec.cell().where());
    return View.split(View.split(List.of(some), open(spec, frame, some)), spec.forEach());
  }

  /** What nothing in a table gives a value makes a table for each. */
  private static Set<String> open(TableSpec spec, TableFrame frame, View all) {
    Set<String> open = new TreeSet<>();
    all.groups().forEach(group -> open.addAll(group.varying()));
    for (LineSpec row : spec.rows()) {
      for (LineSpec column : spec.columns()) {
        if (column.text().isEmpty()) {
          column
              .cell()
              .or(row.cell())
              .or(frame.cell())
              .metric()
              .ifPresent(metric -> open.addAll(Dimensions.needed(metric)));
        }
      }
    }
    open.removeAll(frame.bound());
    if (open.contains(Dimensions.OPERATION)) {
      open.remove(Dimensions.PHASE); // an operation is one of a phase
    }
    return open;
  }

  /**
   * @param texts those of the tables before, which are not said again
   */
  private List<Block> table(TableSpec spec, TableFrame frame, View view, Set<String> texts) {
    boolean titled = !spec.title().isEmpty();
    TableFrame inside = titled ? frame.below() : frame;
    List<Block> content = new ArrayList<>();
    PivotTable table = new PivotTable(spec, frame, view);
    if (table.hasValue()) {
      content.add(new Block.Grid(table.table()));
      items(content, table.footnotes().stream().filter(said::add).toList());
    }
    spec.items().ifPresent(line -> items(content, sentences(line, frame, view)));
    for (TableSpec below : spec.tables()) {
      TableFrame narrower = inside.in(below);
      Set<String> textsBelow = new HashSet<>();
      views(below, narrower, view)
          .forEach(each -> content.addAll(table(below, narrower, each, textsBelow)));
    }
    for (ChartSpec chart : spec.charts()) {
      TableCharts.of(chart, frame, view)
          .ifPresent(made -> charts.computeIfAbsent(chart, any -> new ArrayList<>()).add(made));
    }
    if (content.isEmpty()) {
      return content;
    }
    List<Block> blocks = new ArrayList<>();
    if (titled) {
      blocks.add(new Block.Heading(frame.level(), title(spec.title(), frame, view)));
    }
    String text = frame.text(spec.text(), view);
    if (!text.isEmpty() && texts.add(text)) {
      blocks.add(new Block.Text(text));
    }
    blocks.addAll(content);
    if (table.hasValue()) {
      spec.index()
          .ifPresent(
              index -> {
                blocks.add(new Block.Heading(frame.level(), title(index.title(), frame, view)));
                blocks.add(new Block.Text(frame.text(index.text(), view)));
                blocks.add(new Block.Grid(table.index()));
              });
    }
    return blocks;
  }

  /** A title that stands under no other says where the table is. */
  private static String title(String template, TableFrame frame, View view) {
    boolean said = frame.level() > TableFrame.TOP || template.contains("{at}");
    return frame.text(said ? template : template + "{at}", view);
  }

  private static void items(List<Block> content, List<String> items) {
    if (!items.isEmpty()) {
      content.add(new Block.Items(items));
    }
  }

  /** Those of whose values there is one. */
  private static List<String> sentences(LineSpec line, TableFrame frame, View view) {
    return View.split(List.of(view.where(line.cell().where())), line.forEach()).stream()
        .filter(each -> frame.hasValues(line.text().orElse(""), each))
        .map(each -> frame.text(line.text().orElse(""), each))
        .toList();
  }
}
