package kvrank.table;

import kvrank.workload.Labelled;

/** What a cell shows of a ranking. */
public enum Show implements Labelled {
  /** The engine's value. */
  VALUE("", true, false),
  /** The value and in brackets the rank. */
  RANKED("", true, false),
  /** The value by that of another engine. */
  RATIO("Ratio", true, true),
  /** The same in words, from the better engine's side where lower is better. */
  VERSUS("Versus", true, true),
  /** By how much the best is better than the next, in percent of the next. */
  IMPROVEMENT("Improvement", false, false),
  /** The improvement where one engine alone is the best. */
  LEAD("Lead", false, false),
  /** The difference of the best and the next, and in percent of the larger. */
  DIFFERENCE("Difference", false, false),
  /** The best engine, or which the data cannot separate. */
  WINNER("Winner", false, false);

  private final String title;
  private final boolean ofEngine;
  private final boolean compared;

  Show(String title, boolean ofEngine, boolean compared) {
    this.title = title;
    this.ofEngine = ofEngine;
    this.compared = compared;
  }

  /** Returns the default heading of a column; empty if that is of the metric or the engine. */
  public String title() {
    return title;
  }

  /** Returns whether it is of one engine, not of all in a ranking. */
  public boolean ofEngine() {
    return ofEngine;
  }

  /** Returns whether it compares with {@link CellSpec#to}. */
  public boolean compared() {
    return compared;
  }
}
