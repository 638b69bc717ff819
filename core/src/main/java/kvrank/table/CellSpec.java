package kvrank.table;

import java.util.Optional;
import kvrank.metric.Metric;

/**
 * What a cell shows, as far as it is said here; the rest is said by the row, the column, the table
 * or one that it stands below.
 *
 * @param unit what its values are converted to
 * @param format how they are written: {@link #SHORT} or a pattern of {@link
 *     java.text.DecimalFormat}
 * @param to the engine that others are compared with
 */
public record CellSpec(
    Optional<Metric> metric,
    Optional<String> unit,
    Optional<String> format,
    Optional<Show> show,
    Optional<String> to,
    Filter where) {

  /** Nothing is said. */
  public static final CellSpec OPEN =
      new CellSpec(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Filter.ALL);

  /** The format of three digits with k, M or G, without a unit. */
  public static final String SHORT = "short";

  /** Returns this cell with {@code outer} saying what it leaves open; filters are its own. */
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
