package kvrank.report.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A table. The caption is empty if the heading above has the same words. */
public record Table(String caption, List<Heading> columns, List<Row> rows) implements Block {

  public enum Align {
    LEFT,
    RIGHT
  }

  /** The heading of a column; a spare column may be left out on a narrow terminal or screen. */
  public record Heading(String name, Align align, boolean spare) {}

  /** The looks of a cell, if the format has any. */
  public enum Style {
    PLAIN,
    /** Short words, separated by commas. */
    LABELS,
    /** The closer to the best, the deeper the colour. */
    HEAT,
    /** A bound that is kept, broken, or neither for certain; the text has a sign as well. */
    MET,
    BROKEN,
    OPEN
  }

  /**
   * A cell of one line; sorted by the key or, if that is NaN, by its text.
   *
   * @param heat the ratio to the best; NaN without {@link Style#HEAT}
   */
  public record Cell(String text, double key, Style style, double heat) {

    public Cell(String text, double key, Style style) {
      this(text, key, style, Double.NaN);
    }
  }

  /** One row; the best one is emphasised. */
  public record Row(List<Cell> cells, boolean best) {

    public List<String> texts() {
      return cells.stream().map(Cell::text).toList();
    }
  }

  public Table titled(String title) {
    return new Table(title, columns, rows);
  }

  /** Returns the table with one more column of text. */
  public Table and(String heading, List<String> texts) {
    return and(
        new Heading(heading, Align.LEFT, false),
        texts.stream().map(text -> new Cell(text, Double.NaN, Style.PLAIN)).toList());
  }

  /** Returns the table with one more column. */
  public Table and(Heading heading, List<Cell> column) {
    List<Heading> headings = new ArrayList<>(columns);
    headings.add(heading);
    List<Row> longer = new ArrayList<>();
    for (Row row : rows) {
      List<Cell> cells = new ArrayList<>(row.cells());
      cells.add(column.get(longer.size()));
      longer.add(new Row(cells, row.best()));
    }
    return new Table(caption, headings, longer);
  }

  /** Returns the table without empty columns. */
  public Table compact() {
    return only(
        IntStream.range(0, columns.size())
            .filter(i -> rows.stream().anyMatch(row -> !row.cells().get(i).text().isEmpty()))
            .boxed()
            .toList());
  }

  /** Returns the table with only the columns at these indexes. */
  public Table only(List<Integer> places) {
    return new Table(
        caption,
        places.stream().map(columns::get).toList(),
        rows.stream()
            .map(row -> new Row(places.stream().map(row.cells()::get).toList(), row.best()))
            .toList());
  }
}
