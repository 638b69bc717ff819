package kvrank.table;

/**
 * A chart of a table, with one mark for each engine in a row.
 *
 * @param file the name of its files without the ending
 * @param title a {@link Template}
 * @param axis the title of the value axis, a template
 * @param log whether the value axis is logarithmic
 * @param png whether to write a PNG file even if the command line does not ask for it
 * @param rows the rows of dots, or the positions along lines
 */
public record ChartSpec(
    Kind kind,
    String file,
    String title,
    String axis,
    boolean log,
    boolean png,
    CellSpec cell,
    LineSpec rows) {

  /** The form of a chart. */
  public enum Kind {
    /** Points with their intervals, in one row of the chart for each row. */
    DOTS,
    /** A line for each engine over the rows. */
    LINES
  }
}
