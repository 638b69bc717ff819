package kvrank.metric;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A bound on a metric that a scenario states, for example {@code redis read p99 < 2ms}.
 *
 * @param engine the label of the row
 * @param cells all of which must keep the bound
 * @param below whether values must be below the bound, or else above
 * @param bound in the unit of the metric
 * @param point factor values by their labels; empty for every factor point
 */
public record Expectation(
    String text,
    String engine,
    List<Cell> cells,
    Metric metric,
    boolean below,
    double bound,
    SortedMap<String, String> point) {

  /** A value of a metric; without a phase of the whole run, without an operation of the phase. */
  public record Cell(Optional<String> phase, Optional<String> operation) {}

  public Expectation of(String row) {
    return new Expectation(text, row, cells, metric, below, bound, point);
  }

  /** Returns this expectation of the row whose name ends with {@code suffix} in addition. */
  public Expectation named(String suffix) {
    return new Expectation(
        text.replaceFirst("\\S+", "$0" + suffix),
        engine.replaceFirst("\\S+", "$0" + suffix),
        cells,
        metric,
        below,
        bound,
        point);
  }

  public boolean keeps(double value) {
    return below ? value < bound : value > bound;
  }
}
