package kvrank.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import kvrank.report.chart.Markup;

/**
 * A table whose rows a reader can sort.
 *
 * @param <R> what a row is made of
 */
final class Grid<R> {

  private record Col<R>(
      String name, boolean number, Function<R, Cell> cell, Function<R, OptionalDouble> key) {}

  /** A cell: its text, a class, and badges instead of text. */
  record Cell(String text, String style, List<String> badges) {
    static Cell of(String text) {
      return new Cell(text, "", List.of());
    }
  }

  private final String id;
  private final String caption;
  private final List<Col<R>> columns = new ArrayList<>();

  Grid(String id, String caption) {
    this.id = id;
    this.caption = caption;
  }

  /** A column of text; the first is the heading of its row. */
  Grid<R> text(String name, Function<R, String> text) {
    columns.add(
        new Col<>(name, false, row -> Cell.of(text.apply(row)), row -> OptionalDouble.empty()));
    return this;
  }

  /** A column of numbers, sorted by their exact values; NaN stands for none. */
  Grid<R> number(String name, Function<R, String> text, ToDoubleFunction<R> value) {
    return cells(name, row -> Cell.of(text.apply(row)), value);
  }

  /** A column of numbers with classes of their own. */
  Grid<R> cells(String name, Function<R, Cell> cell, ToDoubleFunction<R> value) {
    columns.add(
        new Col<>(
            name,
            true,
            cell,
            row -> {
              double number = value.applyAsDouble(row);
              return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
            }));
    return this;
  }

  /** A column of short words. */
  Grid<R> badges(String name, Function<R, List<String>> badges) {
    columns.add(
        new Col<>(
            name,
            false,
            row -> new Cell("", "", badges.apply(row)),
            row -> OptionalDouble.empty()));
    return this;
  }

  /** Writes the table in a box that scrolls on its own. */
  void write(Markup html, List<R> rows, Function<R, String> style) {
    List<Col<R>> shown =
        columns.stream()
            .filter(column -> rows.stream().anyMatch(row -> !empty(column.cell().apply(row))))
            .toList();
    html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
    html.open("table", "id", id, "class", "sortable");
    html.element("caption", caption).open("thead").open("tr");
    for (Col<R> column : shown) {
      html.element("th", column.name(), "scope", "col", "class", column.number() ? "n" : "w");
    }
    html.close().close().line().open("tbody");
    for (R row : rows) {
      html.open("tr", "class", style.apply(row));
      for (int i = 0; i < shown.size(); i++) {
        cell(html, shown.get(i), row, i == columnOfHeading(shown));
      }
      html.close().line();
    }
    html.close().close().close().line();
  }

  private static <R> int columnOfHeading(List<Col<R>> shown) {
    for (int i = 0; i < shown.size(); i++) {
      if (!shown.get(i).number()) {
        return i;
      }
    }
    return -1;
  }

  private static boolean empty(Cell cell) {
    return cell.text().isEmpty() && cell.badges().isEmpty();
  }

  private static <R> void cell(Markup html, Col<R> column, R row, boolean heading) {
    Cell cell = column.cell().apply(row);
    OptionalDouble key = column.key().apply(row);
    List<String> attributes = new ArrayList<>();
    if (heading) {
      attributes.addAll(List.of("scope", "row"));
    }
    String style = (column.number() ? "n " : "") + cell.style();
    if (!style.isBlank()) {
      attributes.addAll(List.of("class", style.strip()));
    }
    if (key.isPresent()) {
      attributes.addAll(List.of("data-value", Double.toString(key.getAsDouble())));
    }
    html.open(heading ? "th" : "td", attributes.toArray(String[]::new)).text(cell.text());
    for (String badge : cell.badges()) {
      html.element("span", badge, "class", "badge").raw(" ");
    }
    html.close();
  }
}
