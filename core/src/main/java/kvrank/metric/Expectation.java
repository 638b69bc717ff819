package kvrank.metric;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A bound that a scenario's author wants kept, for example {@code redis read p99 < 2ms}.
 *
 * @param engine the label of the row
 * @param cells what must keep the bound: each of them
 * @param below whether the value must be below the bound; above it otherwise
 * @param bound in the unit of the metric
 * @param point the factor values by their labels to which it is limited; empty for every point
 */
public record Expectation(
    String text,
    String engine,
    List<Cell> cells,
    Metric metric,
    boolean below,
    double bound,
    SortedMap<String, String> point) {

  /**
   * One value of a metric; no phase means the run as a whole, no operation the phase as a whole.
   */
  public record Cell(Optional<String> phase, Optional<String> operation) {}

  public Expectation of(String row) {
    return new Expectation(text, row, cells, metric, below, bound, point);
  }

  public boolean keeps(double value) {
    return below ? value < bound : value > bound;
  }
}
