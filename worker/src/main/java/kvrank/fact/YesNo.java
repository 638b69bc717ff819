package kvrank.fact;

import java.util.Locale;

/** The value of a fact that answers yes or no, the best first. */
public enum YesNo {
  YES,
  UNKNOWN,
  NO;

  /** Returns the value in files, such as {@code yes}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
