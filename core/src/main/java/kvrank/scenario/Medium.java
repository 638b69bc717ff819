package kvrank.scenario;

import java.util.Locale;

/** The storage medium that a scenario asks for. */
public enum Medium {
  /** Whatever the data directory is on. */
  ANY,
  SSD,
  HDD,
  /** A file system in memory. */
  MEMORY;

  /** Returns the name in YAML. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
