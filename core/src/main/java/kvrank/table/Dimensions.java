package kvrank.table;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kvrank.metric.Metric;

/**
 * The dimensions of results: these, the factors by name, and engine options that are factors, after
 * the prefix {@link #OPTIONS}.
 */
public final class Dimensions {

  public static final String PHASE = "phase";

  public static final String OPERATION = "operation";

  public static final String ENGINE = "engine";

  /** The prefix of engine options. */
  public static final String OPTIONS = "options.";

  /** Whether a phase is the load; only for filters. */
  public static final String LOAD = "load";

  /** The dimensions that are not factors, in the order of a report. */
  public static final List<String> ALL = List.of(PHASE, OPERATION, ENGINE);

  private Dimensions() {}

  /** Returns the dimensions that a value of {@code metric} depends on. */
  public static List<String> needed(Metric metric) {
    return switch (metric.scope()) {
      case OPERATION -> List.of(PHASE, OPERATION);
      case PHASE, PHASE_AND_OPERATION -> List.of(PHASE);
      case LOAD, RUN -> List.of();
    };
  }

  /** Returns {@code dimensions}, and the phase if they include the operation. */
  static Set<String> implied(Collection<String> dimensions) {
    Set<String> implied = new TreeSet<>(dimensions);
    if (implied.contains(OPERATION)) {
      implied.add(PHASE);
    }
    return implied;
  }
}
