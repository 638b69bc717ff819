package kvrank.table;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kvrank.metric.Metric;

/**
 * The dimensions of the results: these, the factors by their names, and the options that are
 * factors of an engine, behind {@link #OPTIONS}.
 */
public final class Dimensions {

  public static final String PHASE = "phase";

  /** An operation of a phase. */
  public static final String OPERATION = "operation";

  public static final String ENGINE = "engine";

  /** What the name of an option of the engines begins with, where it is a dimension. */
  public static final String OPTIONS = "options.";

  /** Whether a phase is the load; for filters alone. */
  public static final String LOAD = "load";

  /** Those that are no factors, in the order of a report. */
  public static final List<String> ALL = List.of(PHASE, OPERATION, ENGINE);

  private Dimensions() {}

  /** Returns the dimensions that must have a value where {@code metric} is shown. */
  public static List<String> needed(Metric metric) {
    return switch (metric.scope()) {
      case OPERATION -> List.of(PHASE, OPERATION);
      case PHASE, PHASE_AND_OPERATION -> List.of(PHASE);
      case LOAD, RUN -> List.of();
    };
  }

  /** Returns {@code dimensions} and what comes with them: an operation is one of a phase. */
  static Set<String> implied(Collection<String> dimensions) {
    Set<String> implied = new TreeSet<>(dimensions);
    if (implied.contains(OPERATION)) {
      implied.add(PHASE);
    }
    return implied;
  }
}
