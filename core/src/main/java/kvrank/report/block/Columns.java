package kvrank.report.block;

import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import kvrank.report.block.Table.Align;
import kvrank.report.block.Table.Cell;
import kvrank.report.block.Table.Heading;
import kvrank.report.block.Table.Style;

/** Builds a table column by column; each column computes its cell from the item of a row. */
public final class Columns<R> {

  private final List<R> items;
  private final List<Heading> headings = new ArrayList<>();
  private final List<Function<R, Cell>> cells = new ArrayList<>();

  public Columns(Collection<R> items) {
    this.items = List.copyOf(items);
  }

  public Columns<R> add(String name, Align align, Function<R, Cell> cell) {
    headings.add(new Heading(name, align, false));
    cells.add(cell);
    return this;
  }

  public Columns<R> text(String name, Align align, Function<R, String> text) {
    return add(name, align, row -> new Cell(text.apply(row), Double.NaN, Style.PLAIN));
  }

  public Columns<R> left(String name, Function<R, String> text) {
    return text(name, Align.LEFT, text);
  }

  public Columns<R> right(String name, Function<R, String> text) {
    return text(name, Align.RIGHT, text);
  }

  /** Adds numbers as text with their exact values as keys for sorting. */
  public Columns<R> number(String name, Function<R, String> text, ToDoubleFunction<R> value) {
    return add(
        name, Align.RIGHT, row -> new Cell(text.apply(row), value.applyAsDouble(row), Style.PLAIN));
  }

  /** Adds numbers in full precision, for machines. */
  public Columns<R> exact(String name, ToDoubleFunction<R> value) {
    return right(name, row -> exact(value.applyAsDouble(row)));
  }

  /** Adds short words, separated by commas. */
  public Columns<R> labels(String name, Function<R, String> labels) {
    return add(name, Align.LEFT, row -> new Cell(labels.apply(row), Double.NaN, Style.LABELS));
  }

  /** Allows the last column to be left out on a narrow terminal or screen. */
  public Columns<R> spare() {
    Heading last = headings.remove(headings.size() - 1);
    headings.add(new Heading(last.name(), last.align(), true));
    return this;
  }

  public Table table() {
    return table(row -> false);
  }

  /** Returns the table; the rows of {@code best} items are emphasised. */
  public Table table(Predicate<R> best) {
    return new Table("", headings, items.stream().map(item -> row(item, best.test(item))).toList());
  }

  /** Returns a long table for a single pass: a row is computed whenever it is read. */
  public Table readOnce() {
    return new Table(
        "",
        headings,
        new AbstractList<>() {
          @Override
          public Table.Row get(int index) {
            return row(items.get(index), false);
          }

          @Override
          public int size() {
            return items.size();
          }
        });
  }

  private Table.Row row(R item, boolean best) {
    return new Table.Row(cells.stream().map(cell -> cell.apply(item)).toList(), best);
  }

  /** Returns the table; nothing without rows. */
  public List<Table> ifAny(String caption) {
    return items.isEmpty() ? List.of() : List.of(table().titled(caption));
  }

  /** Returns {@code value} in full precision without an exponent; empty if it is not finite. */
  private static String exact(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    String text =
        value == Math.rint(value) && Math.abs(value) < 1e15
            ? Long.toString((long) value)
            : Double.toString(value);
    return text.contains("E") ? new BigDecimal(text).stripTrailingZeros().toPlainString() : text;
  }
}
