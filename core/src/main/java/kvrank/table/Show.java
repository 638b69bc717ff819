package kvrank.table;

import kvrank.workload.request.Labelled;

/** The part of a ranking that a cell shows. */
public enum Show implements Labelled {
  /** The engine's value. */
  VALUE,
  /** The value, and the rank in brackets. */
  RANKED,
  /** The value divided by another engine's value. */
  RATIO,
  /** The ratio as text, such that the better engine is ahead. */
  VERSUS,
  /** Improvement of the best engine over the next, in percent of the next. */
  IMPROVEMENT,
  /** The improvement, if a single engine is the best. */
  LEAD,
  /** Difference of the best engine and the next, with the percentage of the larger. */
  DIFFERENCE,
  /** The best engine, or the engines that the data cannot separate. */
  WINNER;

  /** Returns the default heading of a column; empty for the metric's or the engine's name. */
  public String title() {
    return this == VALUE || this == RANKED ? "" : name().charAt(0) + label().substring(1);
  }

  /** Returns whether it shows one engine, not all engines of a ranking. */
  public boolean ofEngine() {
    return compared() || this == VALUE || this == RANKED;
  }

  /** Returns whether it compares an engine with {@link CellSpec#to}. */
  public boolean compared() {
    return this == RATIO || this == VERSUS;
  }
}
