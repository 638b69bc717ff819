package kvrank.table;

/**
 * A chart beside a table, with one mark for each engine in a row.
 *
 * @param file the name of its files, without an ending
 * @param title what it shows, a {@link Template}
 * @param axis the title of the values' axis, a template
 * @param log whether equal distances on that axis are equal ratios
 * @param png whether there is a PNG file whatever the command line says
 * @param rows the rows of dots, or the places of lines
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

  /** How values are drawn. */
  public enum Kind {
    /** Places on an axis with their intervals, a row of them for each row. */
    DOTS,
    /** A line for each engine over the rows. */
    LINES
  }
}
