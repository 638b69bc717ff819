package kvrank.worker.protocol;

import java.util.Locale;

/** Whether throughput kept its level over the measured time: the fact {@code steady}. */
public enum Steadiness {
  YES,
  NO,
  UNKNOWN;

  public String fact() {
    return name().toLowerCase(Locale.ROOT);
  }
}
