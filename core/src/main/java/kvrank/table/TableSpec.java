package kvrank.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * A table of a report, or several under one heading. {@code docs/reference/yaml.md} has the keys.
 *
 * @param description what it is, for a list of tables; empty below the top
 * @param title the heading, a {@link Template}; empty for none
 * @param text a paragraph below it, a template; empty for none
 * @param corner the heading of the rows' own column
 * @param forEach the dimensions that make a table for each of their values
 * @param cell what all cells have in common
 * @param rows none if only {@code tables}, {@code items} or {@code charts} are shown
 * @param values cells that templates name
 * @param rename other words for the values of a dimension
 * @param items sentences instead of rows
 * @param index the ranks of each column as a table of their own
 * @param tables what stands below, one level deeper
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

  /** A table of ranks: a row for each rank, a column for each that the values have. */
  public record Index(String title, String text) {}

  /** Returns the dimensions that this table gives a value, in itself or in what stands below. */
  public Set<String> bound() {
    Set<String> bound = new TreeSet<>(own());
    tables.forEach(table -> bound.addAll(table.bound()));
    return bound;
  }

  /** Returns the dimensions that tell its lines apart; without any, those of all that it shows. */
  public Set<String> grid() {
    if (rows.isEmpty()) {
      return own();
    }
    Set<String> bound = outer();
    rows.forEach(row -> bound.addAll(row.bound()));
    columns.forEach(column -> bound.addAll(column.bound()));
    return bound;
  }

  /** Returns the dimensions that {@code chart}, which is one of this table, is given a value of. */
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

  /** Returns the dimensions that its own cells, sentences and charts are given a value of. */
  private Set<String> own() {
    Set<String> bound = rows.isEmpty() ? outer() : grid();
    columns.forEach(column -> bound.addAll(column.bound()));
    values.values().forEach(value -> bound.addAll(value.where().bound()));
    items.ifPresent(line -> bound.addAll(line.bound()));
    charts.forEach(chart -> bound.addAll(chart.rows().bound()));
    return bound;
  }
}
