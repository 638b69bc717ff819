package kvrank.report;

import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A column of a table, as data.
 *
 * @param name the heading
 * @param align to which side its cells go
 * @param spare whether it is left out where there is no room for all
 * @param cell the cell of one row
 */
public record Column<R>(String name, Align align, boolean spare, Function<R, Cell> cell) {

  /** Text. */
  public static <R> Column<R> left(String name, Function<R, String> text) {
    return new Column<>(name, Align.LEFT, false, row -> Cell.of(text.apply(row)));
  }

  /** Numbers. */
  public static <R> Column<R> right(String name, Function<R, String> text) {
    return new Column<>(name, Align.RIGHT, false, row -> Cell.of(text.apply(row)));
  }

  /** Numbers with their exact values. */
  public static <R> Column<R> number(
      String name, Function<R, String> text, ToDoubleFunction<R> value) {
    return new Column<>(
        name, Align.RIGHT, false, row -> Cell.of(text.apply(row), value.applyAsDouble(row)));
  }

  /** Short words, separated by commas. */
  public static <R> Column<R> labels(String name, Function<R, String> labels) {
    return new Column<>(
        name, Align.LEFT, false, row -> new Cell(labels.apply(row), Double.NaN, Cell.Style.LABELS));
  }

  /** This column, to be left out where there is no room for all. */
  public Column<R> asSpare() {
    return new Column<>(name, align, true, cell);
  }

  /** A side. */
  public enum Align {
    LEFT,
    RIGHT
  }
}
