package kvrank.scenario;

import java.util.Locale;

/** Whether a write is on stable storage before the engine acknowledges it. */
public enum Fsync {
  ON,
  OFF;

  /** The name in YAML, results and tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
