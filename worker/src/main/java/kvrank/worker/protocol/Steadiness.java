package kvrank.worker.protocol;

import java.util.Locale;

/** Whether throughput held its level over the measured stretch: the fact {@code steady}. */
public enum Steadiness {
  YES,
  NO,
  UNKNOWN;

  /** The value of the fact. */
  public String fact() {
    return name().toLowerCase(Locale.ROOT);
  }
}
