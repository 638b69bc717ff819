package kvrank.report;

/**
 * A cell of a table.
 *
 * @param text what it says, on one line
 * @param key what it is sorted by; NaN if that is its text
 * @param style how it looks where there is room for looks
 */
public record Cell(String text, double key, Style style) {

  /** A look. */
  public enum Style {
    PLAIN,
    /** Short words, separated by commas. */
    LABELS,
    /** A ratio to the best, which is the key: the nearer the deeper. */
    HEAT
  }

  /** A cell that says {@code text}. */
  public static Cell of(String text) {
    return of(text, Double.NaN);
  }

  /** A cell that says {@code text} and is sorted by {@code key}. */
  public static Cell of(String text, double key) {
    return new Cell(text, key, Style.PLAIN);
  }
}
