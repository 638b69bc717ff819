package kvrank.stats;

import kvrank.results.Outcome;

/** Why a repetition has no value. */
public enum Absence {
  FAILED("failed"),
  TIMED_OUT("timed out"),
  INCORRECT("incorrect"),
  UNAVAILABLE("unavailable"),
  UNSUPPORTED("unsupported"),
  BOUND_NOT_MET("bound not met"),
  /** There is no record of it. */
  MISSING("missing"),
  /** It was completed, and does not have the metric. */
  NO_VALUE("no value");

  private final String label;

  Absence(String label) {
    this.label = label;
  }

  /** A word or two, for a table. */
  public String label() {
    return label;
  }

  /** Whether the engine is not here or cannot do this, which is no failure. */
  public boolean refused() {
    return this == UNAVAILABLE || this == UNSUPPORTED;
  }

  /** Whether something went wrong. */
  public boolean broken() {
    return this == FAILED || this == TIMED_OUT || this == INCORRECT;
  }

  /** The absence that follows from an outcome other than completed. */
  static Absence of(Outcome outcome) {
    if (outcome instanceof Outcome.TimedOut) {
      return TIMED_OUT;
    }
    if (outcome instanceof Outcome.Incorrect) {
      return INCORRECT;
    }
    if (outcome instanceof Outcome.Unavailable) {
      return UNAVAILABLE;
    }
    if (outcome instanceof Outcome.Unsupported) {
      return UNSUPPORTED;
    }
    if (outcome instanceof Outcome.BoundNotMet) {
      return BOUND_NOT_MET;
    }
    return FAILED;
  }
}
