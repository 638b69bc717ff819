package kvrank.report;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/**
 * A column of a table, as data.
 *
 * @param name the heading
 * @param align to which side its cells go
 * @param text the cell of one row
 */
public record Column<R>(String name, Align align, Function<R, String> text) {

  public Column {
    requireNonNull(name, "name is null");
    requireNonNull(align, "align is null");
    requireNonNull(text, "text is null");
  }

  static <R> Column<R> left(String name, Function<R, String> text) {
    return new Column<>(name, Align.LEFT, text);
  }

  /** Numbers. */
  static <R> Column<R> right(String name, Function<R, String> text) {
    return new Column<>(name, Align.RIGHT, text);
  }

  /** A side. */
  public enum Align {
    LEFT,
    RIGHT
  }
}
