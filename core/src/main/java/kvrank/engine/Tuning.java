package kvrank.engine;

import java.util.List;
import java.util.stream.IntStream;
import kvrank.metric.Metric;

/**
 * A search for the best value of an engine's option before the repetitions, from coarse to fine on
 * a grid with equal ratios.
 *
 * @param option an option whose values are whole numbers
 * @param metric the metric to optimise, over all phases and factor points
 */
public record Tuning(String option, long from, long to, Metric metric) {

  /** Values that take part in the repetitions, at most. */
  public static final int ROWS = 3;

  /** Distance of the first values on the grid; each further step halves it. */
  public static final int COARSE = 4;

  private static final String PLACEHOLDER = "tuned-";

  private static final int STEPS = 4 * COARSE;

  /** Returns the candidate values, ascending. */
  public List<String> grid() {
    double ratio = (double) to / from;
    return IntStream.rangeClosed(0, STEPS)
        .mapToLong(i -> i == STEPS ? to : Math.round(from * Math.pow(ratio, (double) i / STEPS)))
        .distinct()
        .mapToObj(String::valueOf)
        .toList();
  }

  /** Returns the maximum number of trials: the coarse values, then two at each finer step. */
  public int trials() {
    return Math.min(grid().size(), STEPS / COARSE + 1 + 4);
  }

  /** Returns whether {@code text} is a placeholder, or the label of a row with one. */
  public static boolean isPlaceholder(String text) {
    return text.matches("(.*=)?" + PLACEHOLDER + "[1-" + ROWS + "]");
  }

  /** Returns placeholders for the values in the repetitions, which the search determines. */
  public List<String> placeholders() {
    return IntStream.rangeClosed(1, Math.min(ROWS, grid().size()))
        .mapToObj(i -> PLACEHOLDER + i)
        .toList();
  }
}
