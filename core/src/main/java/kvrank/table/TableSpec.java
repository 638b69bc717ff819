package kvrank.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import kvrank.metric.Metric;
import kvrank.metric.Scope;

/**
 * A table of a report, or several under one heading. {@code docs/reference/yaml.md} has the keys.
 *
 * @param description for a list of tables; empty for nested tables
 * @param title the heading, a {@link Template}; empty for none
 * @param text a paragraph below the heading, a template; empty for none
 * @param corner the heading of the column with the row names
 * @param forEach dimensions with a table for each of their values
 * @param cell the common part of all cells
 * @param rows empty if there are only {@code tables}, {@code items} or {@code charts}
 * @param values cells that templates refer to, by name
 * @param rename names for the values of a dimension
 * @param items sentences instead of rows
 * @param index a table with the ranks in each column
 * @param tables nested tables, one level deeper
 */
public record TableSpec(
    String description,
    String title,
    String text,
    String corner,
    List<String> forEach,
    CellSpec cell,
    List<LineSpec> rows,
    List<LineSpec> columns,
    SortedMap<String, CellSpec> values,
    Map<String, Map<String, String>> rename,
    Optional<LineSpec> items,
    Optional<Index> index,
    List<ChartSpec> charts,
    List<TableSpec> tables) {

  /** A table with a row for each rank and the same columns. */
  public record Index(String title, String text) {}

  /** Returns the dimensions that this table or a nested one gives a value. */
  public Set<String> bound() {
    Set<String> bound = new TreeSet<>(own());
    tables.forEach(table -> bound.addAll(table.bound()));
    return bound;
  }

  /** Returns the dimensions of rows and columns; without rows, of items, values and charts. */
  public Set<String> grid() {
    if (rows.isEmpty()) {
      return own();
    }
    Set<String> bound = outer();
    rows.forEach(row -> bound.addAll(row.bound()));
    columns.forEach(column -> bound.addAll(column.bound()));
    return bound;
  }

  /** Returns the dimensions that have a value in {@code chart} of this table. */
  public Set<String> of(ChartSpec chart) {
    Set<String> bound = outer();
    bound.addAll(chart.cell().where().bound());
    bound.addAll(chart.rows().bound());
    return bound;
  }

  private Set<String> outer() {
    Set<String> bound = Dimensions.implied(forEach);
    bound.addAll(cell.where().bound());
    return bound;
  }

  /** Returns the dimensions that have a value in this table, without nested ones. */
  private Set<String> own() {
    Set<String> bound = rows.isEmpty() ? outer() : grid();
    columns.forEach(column -> bound.addAll(column.bound()));
    values.values().forEach(value -> bound.addAll(value.where().bound()));
    items.ifPresent(line -> bound.addAll(line.bound()));
    charts.forEach(chart -> bound.addAll(chart.rows().bound()));
    return bound;
  }

  /** Returns the metrics that this table or a nested one shows. */
  public Stream<Metric> metrics() {
    return cells().flatMap(each -> each.metric().stream());
  }

  /** Returns whether this table or a nested one shows results of the load. */
  public boolean asksForLoad() {
    return metrics().anyMatch(metric -> metric.scope() == Scope.LOAD)
        || cells().anyMatch(each -> each.where().selectsLoad());
  }

  private Stream<CellSpec> cells() {
    Stream<LineSpec> lines = Stream.concat(rows.stream(), columns.stream());
    return Stream.of(
            Stream.of(cell),
            Stream.concat(lines, items.stream()).map(LineSpec::cell),
            values.values().stream(),
            charts.stream().flatMap(chart -> Stream.of(chart.cell(), chart.rows().cell())),
            tables.stream().flatMap(TableSpec::cells))
        .flatMap(each -> each);
  }
}
