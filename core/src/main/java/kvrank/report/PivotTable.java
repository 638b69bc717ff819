package kvrank.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvrank.stats.Ranking;
import kvrank.stats.Standing;
import kvrank.table.CellSpec;
import kvrank.table.Dimensions;
import kvrank.table.LineSpec;
import kvrank.table.Show;
import kvrank.table.TableSpec;

/** One table: rows and columns of cells, what stands below it, and its index of ranks. */
final class PivotTable {

  /** Whose values are those of the worker's process if the engine is embedded. */
  private static final Set<String> MEMORY = Set.of("memory", "run-memory-mean", "run-memory-peak");

  /** A row or a column. */
  private record Line(LineSpec spec, View view, String title) {

    boolean ofEngine() {
      return spec.forEach().contains(Dimensions.ENGINE);
    }

    String brief() {
      return spec.brief().orElse(title);
    }
  }

  private final TableSpec spec;
  private final TableFrame frame;
  private final View view;
  private final List<Line> columns;
  private final List<Line> rows;

  PivotTable(TableSpec spec, TableFrame frame, View view) {
    this.spec = spec;
    this.frame = frame;
    this.view = view;
    this.columns = spec.columns().stream().flatMap(column -> columns(column).stream()).toList();
    this.rows =
        spec.rows().stream()
            .flatMap(row -> lines(row).stream())
            .filter(row -> row.ofEngine() || hasValue(row))
            .toList();
  }

  private List<Line> lines(LineSpec line) {
    CellSpec cell = line.cell().or(frame.cell());
    List<View> views = View.split(List.of(view.where(line.cell().where())), line.forEach());
    return views.stream().map(each -> new Line(line, each, title(line, cell, each))).toList();
  }

  /** Those of a ratio leave out the engine that all are compared with. */
  private List<Line> columns(LineSpec column) {
    CellSpec cell = column.cell().or(frame.cell());
    Show show = cell.show().orElse(Show.VALUE);
    if (!show.compared() || !column.forEach().contains(Dimensions.ENGINE)) {
      return lines(column);
    }
    String to = frame.cells().to(cell);
    List<Line> others =
        lines(column).stream().filter(line -> !line.view().engines().contains(to)).toList();
    if (column.title().isPresent() || others.size() < 2) {
      return others;
    }
    List<Line> titled = new ArrayList<>();
    for (Line line : others) {
      String engine = line.view().engines().get(0);
      titled.add(new Line(column, line.view(), line.title() + " (" + engine + "/" + to + ")"));
    }
    return titled;
  }

  private String title(LineSpec line, CellSpec cell, View at) {
    Show show = cell.show().orElse(Show.VALUE);
    if (line.title().isPresent()) {
      return frame.text(line.title().get(), at, cell);
    }
    if (!show.title().isEmpty() && line.cell().show().isPresent()) {
      return show.title();
    }
    if (line.forEach().isEmpty()) {
      return TableCells.metric(cell).title();
    }
    return line.forEach().stream()
        .map(name -> name.equals(Dimensions.OPERATION) ? "phase-operation" : name)
        .map(name -> frame.text("{" + name + "}", at))
        .collect(Collectors.joining(", "));
  }

  private CellSpec cell(Line row, Line column) {
    return column.spec().cell().or(row.spec().cell()).or(frame.cell());
  }

  private String text(Line row, Line column) {
    return column.spec().text().isPresent()
        ? frame.text(column.spec().text().get(), row.view())
        : frame.cells().text(cell(row, column), row.view().and(column.view()));
  }

  private boolean hasValue(Line row) {
    return columns.stream()
        .filter(column -> column.spec().text().isEmpty())
        .anyMatch(column -> !text(row, column).equals(Quantities.NONE));
  }

  /** Returns whether there is anything to show. */
  boolean hasValue() {
    return rows.stream().anyMatch(this::hasValue);
  }

  /** Returns the table. */
  Table table() {
    Columns<Line> table = new Columns<>(rows);
    if (columns.stream().noneMatch(column -> column.spec().text().isPresent())) {
      table.left(spec.corner(), Line::title);
    }
    for (Line column : columns) {
      if (column.spec().right().orElseGet(() -> right(column))) {
        table.right(column.title(), row -> text(row, column));
      } else {
        table.left(column.title(), row -> text(row, column));
      }
    }
    return table.table();
  }

  private boolean right(Line column) {
    return column.spec().text().isEmpty()
        && switch (column.spec().cell().or(frame.cell()).show().orElse(Show.VALUE)) {
          case VALUE, RANKED, IMPROVEMENT, LEAD, DIFFERENCE -> true;
          case RATIO, VERSUS, WINNER -> false;
        };
  }

  /** The columns of an index: those that show values of engines that are rows. */
  private List<Line> ranked() {
    return columns.stream().filter(column -> column.spec().text().isEmpty()).toList();
  }

  private Optional<Ranking> ranking(Line column) {
    return frame.cells().ranking(column.spec().cell().or(frame.cell()), column.view());
  }

  /** Returns rows by rank; engines that have no value come last as "-", those with none are out. */
  Table index() {
    long engines =
        ranked().stream()
            .flatMap(column -> ranking(column).stream())
            .flatMap(ranking -> ranking.standings().stream())
            .map(Standing::engine)
            .distinct()
            .count();
    Columns<Integer> table =
        new Columns<>(IntStream.rangeClosed(1, (int) engines).boxed().toList())
            .exact("Rank", rank -> rank);
    for (Line column : ranked()) {
      List<Standing> standings = ranking(column).map(Ranking::standings).orElse(List.of());
      table.left(column.brief(), rank -> atRank(standings, rank));
    }
    return table.table(rank -> rank == 1);
  }

  /** The cell of a row; {@code rank - 1} is also the place among the standings. */
  private String atRank(List<Standing> standings, int rank) {
    if (rank > standings.size()) {
      return Quantities.NONE;
    }
    if (frame.ties() == TableFrame.Ties.BELOW) {
      Standing standing = standings.get(rank - 1);
      return (standing.ranks().exact() ? "" : "~ ") + standing.engine() + doubt(standing);
    }
    return standings.stream()
        .filter(each -> each.rank() == rank)
        .map(e -> e.engine() + (e.ranks().exact() ? "" : " (" + e.ranks() + ")") + doubt(e))
        .collect(Collectors.joining(", "));
  }

  private static String doubt(Standing standing) {
    return standing.untested() ? " ?" : "";
  }

  /** Returns why values are not there, and what else has to be known of them. */
  List<String> footnotes() {
    List<String> footnotes = new ArrayList<>();
    for (String engine : view.engines()) {
      Set<String> memory = new LinkedHashSet<>();
      Map<String, Set<String>> causes = new LinkedHashMap<>();
      boolean any = false;
      for (Line row : rows) {
        for (Line column : columns) {
          View at = row.view().and(column.view());
          CellSpec cell = cell(row, column);
          if (!isValue(column, cell) || !at.engines().equals(List.of(engine))) {
            continue;
          }
          String name = row.ofEngine() ? column.brief() : row.title();
          if (frame.cells().text(cell, at).equals(Quantities.NONE)) {
            String cause = frame.cells().absence(cell, at, whole(row, column));
            causes.computeIfAbsent(cause, none -> new LinkedHashSet<>()).add(name);
          } else {
            any = true;
            if (MEMORY.contains(TableCells.metric(cell).id())
                && frame.cells().embedded(engine, at)) {
              memory.add(name);
            }
          }
        }
      }
      if (!memory.isEmpty()) {
        footnotes.add(
            "%s is embedded: its %s is that of the worker's process, JVM included"
                .formatted(engine, String.join(", ", memory)));
      }
      boolean all = !any && causes.size() == 1;
      causes.forEach(
          (cause, names) ->
              footnotes.add(engine + (all ? "" : ", " + String.join(", ", names)) + ": " + cause));
    }
    return footnotes;
  }

  private static boolean isValue(Line column, CellSpec cell) {
    return column.spec().text().isEmpty()
        && Set.of(Show.VALUE, Show.RANKED).contains(cell.show().orElse(Show.VALUE));
  }

  /** What the cell would be about if it named no operation. */
  private View whole(Line row, Line column) {
    return view.where(row.spec().cell().where().without(Dimensions.OPERATION))
        .where(column.spec().cell().where().without(Dimensions.OPERATION));
  }
}
