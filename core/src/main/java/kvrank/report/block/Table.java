package kvrank.report.block;

import java.util.List;
import java.util.stream.IntStream;

/** A table, the one source of its forms. The caption is empty where a heading says it. */
public record Table(String caption, List<Heading> columns, List<Row> rows) implements Block {

  public enum Align {
    LEFT,
    RIGHT
  }

  /** The heading of a column; a spare one is left out where there is no room for all. */
  public record Heading(String name, Align align, boolean spare) {}

  /** How a cell looks where there is room for looks. */
  public enum Style {
    PLAIN,
    /** Short words, separated by commas. */
    LABELS,
    /** A ratio to the best, which is the key: the nearer the deeper. */
    HEAT
  }

  /** A cell of one line; sorted by the key, or by its text if that is NaN. */
  public record Cell(String text, double key, Style style) {}

  /** One row, with emphasis where there is any if it is the best. */
  public record Row(List<Cell> cells, boolean best) {

    public List<String> texts() {
      return cells.stream().map(Cell::text).toList();
    }
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
            .boxed()
            .toList());
  }

  /** The columns at these places. */
  public Table only(List<Integer> places) {
    return new Table(
        caption,
        places.stream().map(columns::get).toList(),
        rows.stream()
            .map(row -> new Row(places.stream().map(row.cells()::get).toList(), row.best()))
            .toList());
  }
}
