package kvrank.report.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.report.block.Columns;
import kvrank.report.block.Quantities;
import kvrank.report.block.Table;
import kvrank.report.block.Table.Align;
import kvrank.results.RunRecord;
import kvrank.stats.QualityFlag;
import kvrank.stats.Ranking;
import kvrank.stats.Sample;
import kvrank.stats.Standing;
import kvrank.table.CellSpec;
import kvrank.table.Dimensions;
import kvrank.table.LineSpec;
import kvrank.table.Show;
import kvrank.table.TableSpec;

/** One table: rows and columns of cells, footnotes, and an index of ranks. */
final class PivotTable {

  /** Metrics that include the worker's process if the engine is embedded. */
  private static final Set<String> MEMORY = Set.of("memory", "run-memory-mean", "run-memory-peak");

  /** Marks values that other processes may have affected. */
  private static final String DISTURBED = " †";

  /** A row or a column; {@code cell} has the table's settings where {@code spec} has none. */
  private record Line(LineSpec spec, CellSpec cell, ResultSlice slice, String title) {

    boolean ofEngine() {
      return spec.forEach().contains(Dimensions.ENGINE);
    }

    boolean ofValues() {
      return spec.text().isEmpty();
    }

    String brief() {
      return spec.brief().orElse(title);
    }
  }

  private record Row(Line line, List<String> texts) {}

  private final TableSpec spec;
  private final TableFrame frame;
  private final ResultSlice slice;
  private final List<Line> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  PivotTable(TableSpec spec, TableFrame frame, ResultSlice slice) {
    this.spec = spec;
    this.frame = frame;
    this.slice = slice;
    spec.columns().forEach(column -> columns.addAll(columns(column)));
    for (LineSpec each : spec.rows()) {
      for (Line line : lines(each)) {
        Row row = new Row(line, columns.stream().map(column -> text(line, column)).toList());
        if (hasValue(row) || (line.ofEngine() && belongs(line.slice))) {
          rows.add(row);
        }
      }
    }
  }

  /** Returns whether an engine has values or reasons here, not only at another level of fsync. */
  private static boolean belongs(ResultSlice row) {
    return row.groups().stream()
        .map(group -> row.index().throughput(group.phaseGroup()))
        .anyMatch(
            ranking ->
                row.engines().stream()
                    .anyMatch(
                        engine ->
                            ranking.standing(engine).isPresent()
                                || !ranking.excluded(engine).isEmpty()));
  }

  private List<Line> lines(LineSpec line) {
    CellSpec cell = line.cell().or(frame.cell());
    return slice.where(line.cell().where()).split(line.forEach()).stream()
        .map(each -> new Line(line, cell, each, title(line, cell, each)))
        .toList();
  }

  /**
   * Returns the lines of a column; ratios leave out the engine that the others are compared with.
   */
  private List<Line> columns(LineSpec column) {
    List<Line> lines = new ArrayList<>(lines(column));
    CellSpec cell = column.cell().or(frame.cell());
    if (cell.show().orElse(Show.VALUE).compared() && column.forEach().contains(Dimensions.ENGINE)) {
      String to = RankingCell.to(cell, slice);
      lines.removeIf(line -> line.slice.engines().contains(to));
      if (column.title().isEmpty() && lines.size() > 1) {
        lines.replaceAll(
            line -> {
              String pair = " (" + line.slice.engines().get(0) + "/" + to + ")";
              return new Line(column, cell, line.slice, line.title + pair);
            });
      }
    }
    return lines;
  }

  private String title(LineSpec line, CellSpec cell, ResultSlice at) {
    String show = line.cell().show().map(Show::title).orElse("");
    if (line.title().isPresent()) {
      return frame.text(line.title().get(), at, cell);
    } else if (!show.isEmpty()) {
      return show;
    } else if (line.forEach().isEmpty() && cell.metric().isPresent()) {
      return cell.metric().get().title();
    }
    Stream<String> named =
        line.forEach().isEmpty()
            ? line.bound().stream().filter(name -> !name.equals(Dimensions.LOAD))
            : line.forEach().stream()
                .map(name -> name.equals(Dimensions.OPERATION) ? "phase-operation" : name);
    return named.map(name -> frame.text("{" + name + "}", at)).collect(Collectors.joining(", "));
  }

  private static CellSpec cell(Line row, Line column) {
    return column.spec.cell().or(row.cell);
  }

  private String text(Line row, Line column) {
    if (!column.ofValues()) {
      return frame.text(column.spec.text().get(), row.slice);
    }
    CellSpec cell = cell(row, column);
    ResultSlice at = row.slice.and(column.slice);
    String text = RankingCell.text(cell, at);
    return RankingCell.disturbed(cell, at, text) ? text + DISTURBED : text;
  }

  private boolean hasValue(Row row) {
    return IntStream.range(0, columns.size())
        .anyMatch(i -> columns.get(i).ofValues() && !row.texts.get(i).equals(Quantities.NONE));
  }

  boolean hasValue() {
    return rows.stream().anyMatch(this::hasValue);
  }

  Table table() {
    Columns<Row> table = new Columns<>(rows);
    if (columns.stream().allMatch(Line::ofValues)) {
      table.left(spec.corner(), row -> row.line.title);
    }
    for (int i = 0; i < columns.size(); i++) {
      int place = i;
      Line column = columns.get(i);
      boolean right = column.spec.right().orElseGet(() -> right(column));
      table.text(column.title, right ? Align.RIGHT : Align.LEFT, row -> row.texts.get(place));
    }
    return table.table();
  }

  private static boolean right(Line column) {
    Show show = column.cell.show().orElse(Show.VALUE);
    return column.ofValues() && !show.compared() && show != Show.WINNER;
  }

  private static List<Standing> standings(Line column) {
    return RankingCell.ranking(column.cell, column.slice).map(Ranking::standings).orElse(List.of());
  }

  /**
   * Returns the engines by rank, with "-" where an engine has no value, without engines and columns
   * that have none.
   */
  Table index() {
    List<Line> ranked =
        columns.stream().filter(Line::ofValues).filter(c -> !standings(c).isEmpty()).toList();
    Set<String> engines = new HashSet<>();
    ranked.forEach(column -> standings(column).forEach(each -> engines.add(each.engine())));
    Columns<Integer> table =
        new Columns<>(IntStream.rangeClosed(1, engines.size()).boxed().toList())
            .exact("Rank", rank -> rank);
    for (Line column : ranked) {
      table.left(column.brief(), rank -> atRank(standings(column), rank));
    }
    return table.table(rank -> rank == 1);
  }

  /** Returns the cell of a row; {@code rank - 1} is also the index of the standing. */
  private String atRank(List<Standing> standings, int rank) {
    if (rank > standings.size()) {
      return Quantities.NONE;
    }
    boolean below = frame.ties() == TableFrame.Ties.BELOW;
    Map<String, List<String>> names = new LinkedHashMap<>();
    standings.stream()
        .filter(each -> below ? each.equals(standings.get(rank - 1)) : each.rank() == rank)
        .forEach(
            each ->
                names
                    .computeIfAbsent(
                        (below || each.ranks().exact() ? "" : " (" + each.ranks() + ")")
                            + (each.untested() ? " ?" : ""),
                        any -> new ArrayList<>())
                    .add((below && !each.ranks().exact() ? "~ " : "") + frame.name(each.engine())));
    return names.entrySet().stream()
        .map(same -> String.join(", ", same.getValue()) + same.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Returns the reasons for missing values, and caveats. */
  List<String> footnotes() {
    List<String> footnotes = new ArrayList<>();
    if (rows.stream().flatMap(row -> row.texts.stream()).anyMatch(t -> t.endsWith(DISTURBED))) {
      footnotes.add(
          DISTURBED.strip() + ": in some repetitions, " + QualityFlag.Kind.DISTURBED.meaning());
    }
    for (String engine : slice.engines()) {
      Set<String> memory = new LinkedHashSet<>();
      Map<String, Set<String>> causes = new LinkedHashMap<>();
      boolean any = false;
      for (Row row : rows) {
        for (int i = 0; i < columns.size(); i++) {
          Line column = columns.get(i);
          ResultSlice at = row.line.slice.and(column.slice);
          CellSpec cell = cell(row.line, column);
          Show show = cell.show().orElse(Show.VALUE);
          boolean value = column.ofValues() && show.ofEngine() && !show.compared();
          String name = row.line.ofEngine() ? column.brief() : row.line.title;
          if (!value || !at.engines().equals(List.of(engine))) {
            continue;
          }
          if (row.texts.get(i).equals(Quantities.NONE)) {
            String cause = RankingCell.absence(cell, at, whole(row.line, column));
            causes.computeIfAbsent(cause, none -> new LinkedHashSet<>()).add(name);
          } else {
            any = true;
            Stream<RunRecord> runs =
                at.groups().stream().flatMap(group -> at.index().runs(group, engine).stream());
            Metric metric = cell.metric().orElseThrow();
            if (MEMORY.contains(metric.id()) && runs.anyMatch(Sample::embedded)) {
              memory.add(metric.title());
            }
          }
        }
      }
      if (!memory.isEmpty()) {
        footnotes.add(
            "%s is embedded: its %s includes the worker's process with its JVM"
                .formatted(engine, String.join(", ", memory)));
      }
      boolean all = !any && causes.size() == 1;
      causes.forEach(
          (cause, names) ->
              footnotes.add(engine + (all ? "" : ", " + String.join(", ", names)) + ": " + cause));
    }
    return footnotes;
  }

  /** Returns the slice of a cell without its operation. */
  private ResultSlice whole(Line row, Line column) {
    return slice
        .where(row.spec.cell().where().without(Dimensions.OPERATION))
        .where(column.spec.cell().where().without(Dimensions.OPERATION));
  }
}
