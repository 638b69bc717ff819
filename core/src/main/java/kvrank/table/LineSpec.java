package kvrank.table;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A row or a column, or one for each value of some dimensions.
 *
 * @param title its heading, a {@link Template}; a default if empty
 * @param brief its name in footnotes and in an index; the title if empty
 * @param text of a column: a template of the row, instead of a value; of {@link TableSpec#items}:
 *     the sentence
 * @param right whether it is aligned to the right; a default if empty
 * @param forEach the dimensions, the outermost first
 */
public record LineSpec(
    Optional<String> title,
    Optional<String> brief,
    Optional<String> text,
    Optional<Boolean> right,
    List<String> forEach,
    CellSpec cell) {

  /** Returns a line for each value of {@code dimensions} of which nothing else is said. */
  public static LineSpec each(List<String> dimensions, CellSpec cell) {
    return new LineSpec(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), dimensions, cell);
  }

  /** Returns the dimensions that it gives a value. */
  public Set<String> bound() {
    Set<String> bound = Dimensions.implied(forEach);
    bound.addAll(cell.where().bound());
    return bound;
  }
}
