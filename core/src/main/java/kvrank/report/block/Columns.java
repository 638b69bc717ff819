package kvrank.report.block;

import java.math.BigDecimal;
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

/** A table by its columns: each has a heading, and of every thing that has a row its cell. */
public final class Columns<R> {

  private final List<R> things;
  private final List<Heading> headings = new ArrayList<>();
  private final List<Function<R, Cell>> cells = new ArrayList<>();

  /** No columns yet, and a row for each of {@code things}. */
  public Columns(Collection<R> things) {
    this.things = List.copyOf(things);
  }

  public Columns<R> add(String name, Align align, Function<R, Cell> cell) {
    headings.add(new Heading(name, align, false));
    cells.add(cell);
    return this;
  }

  public Columns<R> text(String name, Align align, Function<R, String> text) {
    return add(name, align, row -> new Cell(text.apply(row), Double.NaN, Style.PLAIN));
  }

  /** Text. */
  public Columns<R> left(String name, Function<R, String> text) {
    return text(name, Align.LEFT, text);
  }

  /** Numbers. */
  public Columns<R> right(String name, Function<R, String> text) {
    return text(name, Align.RIGHT, text);
  }

  /** Numbers with their exact values. */
  public Columns<R> number(String name, Function<R, String> text, ToDoubleFunction<R> value) {
    return add(
        name, Align.RIGHT, row -> new Cell(text.apply(row), value.applyAsDouble(row), Style.PLAIN));
  }

  /** Numbers for machines. */
  public Columns<R> exact(String name, ToDoubleFunction<R> value) {
    return right(name, row -> exact(value.applyAsDouble(row)));
  }

  /** Short words, separated by commas. */
  public Columns<R> labels(String name, Function<R, String> labels) {
    return add(name, Align.LEFT, row -> new Cell(labels.apply(row), Double.NaN, Style.LABELS));
  }

  /** The column that was added last is left out where there is no room for all. */
  public Columns<R> spare() {
    Heading last = headings.remove(headings.size() - 1);
    headings.add(new Heading(last.name(), last.align(), true));
    return this;
  }

  public Table table() {
    return table(row -> false);
  }

  /** The table; rows of what is {@code best} are emphasised. */
  public Table table(Predicate<R> best) {
    return new Table(
        "",
        headings,
        things.stream().map(thing -> new Table.Row(row(thing), best.test(thing))).toList());
  }

  private List<Cell> row(R thing) {
    return cells.stream().map(cell -> cell.apply(thing)).toList();
  }

  /** The table; nothing without rows. */
  public List<Table> ifAny(String caption) {
    return things.isEmpty() ? List.of() : List.of(table().titled(caption));
  }

  /** Full precision without an exponent; empty if there is no number. */
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
