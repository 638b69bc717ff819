package kvrank.report;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A table, the one source of its Markdown, CSV, HTML and terminal forms.
 *
 * @param caption what it shows, where no heading says so; may be empty
 * @param rows cells in the order of the columns
 */
public record Table(String caption, List<Heading> columns, List<Row> rows) {

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /**
   * The heading of a column.
   *
   * @param spare whether it is left out where there is no room for all
   */
  public record Heading(String name, Column.Align align, boolean spare) {}

  /**
   * One row.
   *
   * @param best whether it deserves emphasis where there is any
   */
  public record Row(List<Cell> cells, boolean best) {

    public Row {
      cells = List.copyOf(cells);
    }

    /** What the cells say. */
    public List<String> texts() {
      return cells.stream().map(Cell::text).toList();
    }
  }

  /** The table of {@code rows}; those that are {@code best} are emphasised. */
  public static <R> Table of(List<Column<R>> columns, List<R> rows, Predicate<R> best) {
    return new Table(
        "",
        columns.stream()
            .map(column -> new Heading(column.name(), column.align(), column.spare()))
            .toList(),
        rows.stream()
            .map(
                row ->
                    new Row(
                        columns.stream().map(column -> column.cell().apply(row)).toList(),
                        best.test(row)))
            .toList());
  }

  /** This table with a caption. */
  public Table titled(String title) {
    return new Table(title, columns, rows);
  }

  /** Without the columns all of whose cells are empty. */
  public Table compact() {
    return only(
        IntStream.range(0, columns.size())
            .filter(i -> rows.stream().anyMatch(row -> !row.cells().get(i).text().isEmpty()))
            .toArray());
  }

  /** The columns at these places. */
  public Table only(int... places) {
    return new Table(
        caption,
        IntStream.of(places).mapToObj(columns::get).toList(),
        rows.stream()
            .map(
                row ->
                    new Row(
                        IntStream.of(places).mapToObj(i -> row.cells().get(i)).toList(),
                        row.best()))
            .toList());
  }
}
