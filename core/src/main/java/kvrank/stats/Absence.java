package kvrank.stats;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import kvrank.results.Outcome;

/** Why a repetition has no value. */
public enum Absence {
  FAILED,
  TIMED_OUT,
  INCORRECT,
  UNAVAILABLE,
  UNSUPPORTED,
  BOUND_NOT_MET,
  UNDETERMINED,
  /** There is no record of it. */
  MISSING,
  /** It was completed, and does not have the metric. */
  NO_VALUE;

  /** A word or two, for a table. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Whether the engine is not here or cannot do this, which is no failure. */
  public boolean refused() {
    return this == UNAVAILABLE || this == UNSUPPORTED;
  }

  /** Whether something went wrong. */
  public boolean broken() {
    return this == FAILED || this == TIMED_OUT || this == INCORRECT;
  }

  /** The absence that follows from an outcome; a completed run without a phase has failed. */
  static Absence of(Outcome outcome) {
    return outcome instanceof Outcome.Completed
        ? FAILED
        : valueOf(outcome.label().replace(' ', '_').toUpperCase(Locale.ROOT));
  }
}
