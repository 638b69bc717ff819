package kvrank.table;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A row or a column, or one for each value of dimensions.
 *
 * @param title the heading, a {@link Template}; empty for the default
 * @param brief the name in footnotes and in an index; empty for the title
 * @param text of a column: a template instead of a value; of {@link TableSpec#items}: the sentence
 * @param right whether it is right-aligned; empty for the default
 * @param forEach the dimensions, the outermost first
 */
public record LineSpec(
    Optional<String> title,
    Optional<String> brief,
    Optional<String> text,
    Optional<Boolean> right,
    List<String> forEach,
    CellSpec cell) {

  /** Returns a line for each value of {@code dimensions}, with defaults. */
  public static LineSpec each(List<String> dimensions, CellSpec cell) {
    return new LineSpec(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), dimensions, cell);
  }

  /** Returns the dimensions that this line gives a value. */
  public Set<String> bound() {
    Set<String> bound = Dimensions.implied(forEach);
    bound.addAll(cell.where().bound());
    return bound;
  }
}
