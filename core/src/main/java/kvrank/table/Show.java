package kvrank.table;

import kvrank.workload.request.Labelled;

/** What a cell shows of a ranking. */
public enum Show implements Labelled {
  /** The engine's value. */
  VALUE,
  /** The value and in brackets the rank. */
  RANKED,
  /** The value by that of another engine. */
  RATIO,
  /** The same in words, from the better engine's side where lower is better. */
  VERSUS,
  /** By how much the best is better than the next, in percent of the next. */
  IMPROVEMENT,
  /** The improvement where one engine alone is the best. */
  LEAD,
  /** The difference of the best and the next, and in percent of the larger. */
  DIFFERENCE,
  /** The best engine, or which the data cannot separate. */
  WINNER;

  /** Returns the default heading of a column; empty if that is of the metric or the engine. */
  public String title() {
    return this == VALUE || this == RANKED ? "" : name().charAt(0) + label().substring(1);
  }

  /** Returns whether it is of one engine, not of all in a ranking. */
  public boolean ofEngine() {
    return compared() || this == VALUE || this == RANKED;
  }

  /** Returns whether it compares with {@link CellSpec#to}. */
  public boolean compared() {
    return this == RATIO || this == VERSUS;
  }
}
