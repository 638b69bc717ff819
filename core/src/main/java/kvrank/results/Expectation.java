package kvrank.results;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A bound that the scenario wants kept, as {@code plan.json} holds it: everything that is needed to
 * judge it again.
 *
 * @param text as the scenario's author wrote it
 * @param engine the label of the row
 * @param cells what must keep the bound: each of them
 * @param metric the metric's name in rankings
 * @param below whether the value must be below the bound; above it otherwise
 * @param bound in the metric's unit
 * @param point the factor values to which it is limited; empty for every factor point
 */
public record Expectation(
    String text,
    String engine,
    List<Cell> cells,
    String metric,
    boolean below,
    double bound,
    SortedMap<String, String> point) {

  public Expectation {
    requireNonNull(text, "text is null");
    requireNonNull(engine, "engine is null");
    cells = List.copyOf(cells);
    requireNonNull(metric, "metric is null");
    point = Collections.unmodifiableSortedMap(new TreeMap<>(point));
  }

  /**
   * One of the values that a metric has.
   *
   * @param operation its label; empty for the phase as a whole
   */
  public record Cell(String phase, Optional<String> operation) {

    public Cell {
      requireNonNull(phase, "phase is null");
      requireNonNull(operation, "operation is null");
    }
  }
}
