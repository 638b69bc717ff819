package kvrank.scenario;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Operation;

/**
 * A bound that the scenario's author wants kept, for example {@code redis read p99 < 2ms}.
 *
 * @param text as it was written
 * @param engine the label of the row
 * @param cells what must keep the bound: each of them
 * @param below whether the value must be below the bound; above it otherwise
 * @param bound in the unit of the metric: 1/s, ns, s for the load time, bytes, or a count
 * @param point the factor values to which it is limited; empty for every factor point
 */
public record Expectation(
    String text,
    String engine,
    List<Cell> cells,
    ExpectedMetric metric,
    boolean below,
    double bound,
    SortedMap<Setting, String> point) {

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
   * @param operation empty for the phase as a whole
   */
  public record Cell(String phase, Optional<Operation> operation) {

    public Cell {
      requireNonNull(phase, "phase is null");
      requireNonNull(operation, "operation is null");
    }
  }
}
