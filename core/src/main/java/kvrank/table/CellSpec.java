package kvrank.table;

import java.util.Optional;
import kvrank.metric.Metric;

/**
 * The content of a cell. Empty components are taken from the row, the column, the table or an outer
 * table.
 *
 * @param unit for the values
 * @param format of the values: {@link #SHORT} or a pattern of {@link java.text.DecimalFormat}
 * @param to the engine to compare with
 */
public record CellSpec(
    Optional<Metric> metric,
    Optional<String> unit,
    Optional<String> format,
    Optional<Show> show,
    Optional<String> to,
    Filter where) {

  /** A cell without content. */
  public static final CellSpec OPEN =
      new CellSpec(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Filter.ALL);

  /** Three digits with k, M or G, without a unit. */
  public static final String SHORT = "short";

  /** Returns this cell, completed from {@code outer} except for the filter. */
  public CellSpec or(CellSpec outer) {
    return new CellSpec(
        metric.or(outer::metric),
        unit.or(outer::unit),
        format.or(outer::format),
        show.or(outer::show),
        to.or(outer::to),
        where);
  }
}
