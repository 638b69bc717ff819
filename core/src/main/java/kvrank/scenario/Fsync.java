package kvrank.scenario;

import java.util.Locale;

/** Whether a write is on stable storage before the engine acknowledges it. */
public enum Fsync {
  ON,
  OFF;

  /**
   * Returns the durability with that label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Fsync of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Returns the name in YAML, results and tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
