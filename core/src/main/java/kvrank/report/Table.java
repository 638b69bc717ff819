package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A table of text, the one source of its Markdown, CSV and terminal forms.
 *
 * @param rows cells in the order of the columns
 */
public record Table(List<Heading> columns, List<Row> rows) {

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /** The heading of a column. */
  public record Heading(String name, Column.Align align) {}

  /**
   * One row.
   *
   * @param best whether it deserves emphasis where there is any
   */
  public record Row(List<String> cells, boolean best) {

    public Row {
      cells = List.copyOf(cells);
    }
  }

  /** The table of {@code rows}; those that are {@code best} are emphasised. */
  static <R> Table of(List<Column<R>> columns, List<R> rows, Predicate<R> best) {
    List<Row> texts = new ArrayList<>();
    for (R row : rows) {
      List<String> cells = columns.stream().map(column -> column.text().apply(row)).toList();
      texts.add(new Row(cells, best.test(row)));
    }
    return new Table(
        columns.stream().map(column -> new Heading(column.name(), column.align())).toList(), texts);
  }

  /** Without the column {@code name} if all its cells are {@code negligible}. */
  Table without(String name, Predicate<String> negligible) {
    for (int i = 0; i < columns.size(); i++) {
      int index = i;
      if (columns.get(i).name().equals(name)
          && rows.stream().allMatch(row -> negligible.test(row.cells().get(index)))) {
        return without(index);
      }
    }
    return this;
  }

  private Table without(int index) {
    List<Row> shorter =
        rows.stream().map(row -> new Row(without(row.cells(), index), row.best())).toList();
    return new Table(without(columns, index), shorter);
  }

  private static <T> List<T> without(List<T> list, int index) {
    List<T> copy = new ArrayList<>(list);
    copy.remove(index);
    return copy;
  }
}
