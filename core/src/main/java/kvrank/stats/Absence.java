package kvrank.stats;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import kvrank.results.Outcome;

/** Reasons for a repetition without a value. */
public enum Absence {
  FAILED,
  TIMED_OUT,
  INCORRECT,
  UNAVAILABLE,
  UNSUPPORTED,
  /** After a crash, acknowledged writes that were to be on the device could not be read. */
  NOT_DURABLE,
  BOUND_NOT_MET,
  UNDETERMINED,
  /** There is no record. */
  MISSING,
  /** Others used much of the machine, and enough other runs are left. */
  DISTURBED,
  /** Completed, but without this metric. */
  NO_VALUE,
  /** Completed, but this metric could not be measured, although it applies. */
  NOT_MEASURABLE;

  /** Returns a word or two for a table. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns whether the engine is not available or cannot do this, which is not a failure. */
  public boolean refused() {
    return this == UNAVAILABLE || this == UNSUPPORTED;
  }

  /** Returns whether nothing was measured, so that the engine cannot be judged. */
  public boolean unmeasured() {
    return refused() || this == MISSING || this == DISTURBED;
  }

  /** Returns whether the run completed without this metric. */
  public boolean withoutValue() {
    return this == NO_VALUE || this == NOT_MEASURABLE;
  }

  /** Returns whether something went wrong. */
  public boolean broken() {
    return this == FAILED || this == TIMED_OUT || this == INCORRECT || this == NOT_DURABLE;
  }

  /** Returns the absence for an outcome; a completed run without the phase counts as failed. */
  static Absence of(Outcome outcome) {
    return outcome instanceof Outcome.Completed
        ? FAILED
        : valueOf(outcome.label().replace(' ', '_').toUpperCase(Locale.ROOT));
  }
}
