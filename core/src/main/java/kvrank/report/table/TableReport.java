package kvrank.report.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import kvrank.metric.Metric;
import kvrank.report.block.Block;
import kvrank.report.block.Blocks;
import kvrank.report.chart.Chart;
import kvrank.report.ranking.Notes;
import kvrank.stats.RankingIndex;
import kvrank.table.ChartSpec;
import kvrank.table.Dimensions;
import kvrank.table.LineSpec;
import kvrank.table.TableSpec;

/** The tables and charts that a scenario asks for, filled from the rankings. */
public final class TableReport {

  /** The footnotes of earlier tables at the same point, which are not repeated. */
  private final Set<String> said = new HashSet<>();

  private final List<Block> blocks = new ArrayList<>();
  private final Map<ChartSpec, List<TableChart>> charts = new LinkedHashMap<>();

  public TableReport(RankingIndex index, Notes notes, TableFrame.Ties ties) {
    for (TableSpec table : index.results().tables()) {
      TableFrame frame = TableFrame.of(ties).in(table, 0);
      Set<String> texts = new HashSet<>();
      for (ResultSlice slice : slices(table, frame, ResultSlice.of(index))) {
        said.clear();
        said.addAll(notes.everywhere());
        blocks.addAll(table(table, frame, slice, texts));
      }
    }
  }

  public List<Block> blocks() {
    return blocks;
  }

  /** Returns the charts that are always written as files, whatever the command line requests. */
  public List<Chart> files() {
    List<Chart> files = new ArrayList<>();
    charts.forEach(
        (spec, made) -> {
          if (spec.png()) {
            made.forEach(chart -> files.add(numbered(chart, made)));
          }
        });
    return files;
  }

  /** Returns the chart; if there is one for each point, its file's name has a number. */
  private static Chart numbered(TableChart chart, List<TableChart> made) {
    return chart.chart(made.size() == 1 ? "" : "-" + (made.indexOf(chart) + 1));
  }

  /** Returns the slices for which a table is repeated. */
  private static List<ResultSlice> slices(TableSpec spec, TableFrame frame, ResultSlice all) {
    Set<String> given = new HashSet<>(all.given());
    given.addAll(spec.grid());
    ResultSlice some = all.given(given).where(spec.cell().where());
    List<String> dimensions = new ArrayList<>(open(spec, frame, some));
    dimensions.addAll(spec.forEach());
    return some.split(dimensions);
  }

  /**
   * Returns the dimensions to which nothing in a table gives a value: the table is repeated for
   * each of their values.
   */
  private static Set<String> open(TableSpec spec, TableFrame frame, ResultSlice all) {
    Set<String> open = new TreeSet<>();
    all.groups().forEach(group -> open.addAll(group.varying()));
    for (LineSpec row : spec.rows()) {
      for (LineSpec column : spec.columns()) {
        Optional<Metric> metric = column.cell().or(row.cell()).or(frame.cell()).metric();
        if (column.text().isEmpty() && metric.isPresent()) {
          open.addAll(Dimensions.needed(metric.get()));
        }
      }
    }
    open.removeAll(frame.bound());
    if (open.contains(Dimensions.OPERATION)) {
      open.remove(Dimensions.PHASE); // an operation implies its phase
    }
    return open;
  }

  /** Returns the blocks of a table; {@code texts} of earlier tables are not repeated. */
  private List<Block> table(
      TableSpec spec, TableFrame frame, ResultSlice slice, Set<String> texts) {
    boolean titled = !spec.title().isEmpty();
    Blocks content = new Blocks();
    PivotTable table = new PivotTable(spec, frame, slice);
    if (table.hasValue()) {
      content.add(table.table()).items(table.footnotes().stream().filter(said::add).toList());
    }
    spec.items().ifPresent(line -> content.items(sentences(line, frame, slice)));
    for (TableSpec below : spec.tables()) {
      TableFrame narrower = frame.in(below, titled ? 1 : 0);
      Set<String> textsBelow = new HashSet<>();
      slices(below, narrower, slice)
          .forEach(each -> content.addAll(table(below, narrower, each, textsBelow)));
    }
    for (ChartSpec chart : spec.charts()) {
      List<TableChart> made = charts.computeIfAbsent(chart, any -> new ArrayList<>());
      TableChart one = new TableChart(chart, frame, slice.given(spec.of(chart)));
      if (one.hasValue()) {
        made.add(one);
        content.add(new Block.Figure(() -> Optional.of(numbered(one, made))));
      }
    }
    if (content.list().isEmpty()) {
      return List.of();
    }
    Blocks blocks = new Blocks();
    if (titled) {
      blocks.heading(frame.level(), title(spec.title(), frame, slice));
    }
    String text = frame.text(spec.text(), slice);
    if (texts.add(text)) {
      blocks.text(text);
    }
    blocks.addAll(content.list());
    if (table.hasValue() && spec.index().isPresent()) {
      blocks
          .heading(frame.level(), title(spec.index().get().title(), frame, slice))
          .text(frame.text(spec.index().get().text(), slice))
          .add(table.index());
    }
    return blocks.list();
  }

  /** Returns the title; an outermost one includes the factor point. */
  private static String title(String template, TableFrame frame, ResultSlice slice) {
    boolean said = frame.level() > TableFrame.TOP || template.contains("{at}");
    return frame.text(said ? template : template + "{at}", slice);
  }

  /** Returns the sentences that have a value. */
  private static List<String> sentences(LineSpec line, TableFrame frame, ResultSlice slice) {
    String text = line.text().orElse("");
    return slice.where(line.cell().where()).split(line.forEach()).stream()
        .filter(each -> frame.hasValues(text, each))
        .map(each -> frame.text(text, each))
        .toList();
  }
}
