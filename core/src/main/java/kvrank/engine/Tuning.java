package kvrank.engine;

import java.util.List;
import java.util.stream.IntStream;
import kvrank.metric.Metric;

/**
 * A search for the best value of an option, before the repetitions: from coarse to fine, on a grid
 * of values at equal ratios.
 *
 * @param option of the engine, a whole number
 * @param metric what a value is judged by, in all phases and at all factor points together
 */
public record Tuning(String option, long from, long to, Metric metric) {

  /** So many of the values take part in the repetitions, at most. */
  public static final int ROWS = 3;

  /** How far apart the first values on the grid are; each further step is half of that. */
  public static final int COARSE = 4;

  private static final String PLACEHOLDER = "tuned-";

  private static final int STEPS = 4 * COARSE;

  /** Returns the values that may be tried, ascending. */
  public List<String> grid() {
    double ratio = (double) to / from;
    return IntStream.rangeClosed(0, STEPS)
        .mapToLong(i -> i == STEPS ? to : Math.round(from * Math.pow(ratio, (double) i / STEPS)))
        .distinct()
        .mapToObj(String::valueOf)
        .toList();
  }

  /** Returns how many of them are tried, at most: the coarse ones, then two at each finer step. */
  public int trials() {
    return Math.min(grid().size(), STEPS / COARSE + 1 + 4);
  }

  /** Returns whether {@code text} is a value or the label of a row that a search will rename. */
  public static boolean isPlaceholder(String text) {
    return text.matches("(.*=)?" + PLACEHOLDER + "[1-" + ROWS + "]");
  }

  /** Returns what stands for the values that take part in the repetitions until they are known. */
  public List<String> placeholders() {
    return IntStream.rangeClosed(1, Math.min(ROWS, grid().size()))
        .mapToObj(i -> PLACEHOLDER + i)
        .toList();
  }
}
