package kvrank.workload;

import java.util.Locale;
import java.util.Optional;

/** How the next key is chosen among the records that are there. */
public enum Distribution {
  ZIPFIAN,
  UNIFORM,
  LATEST,
  HOTSPOT,
  EXPONENTIAL,
  SEQUENTIAL,
  REVERSE,
  RANDOM,
  TIMESTAMP;

  /** The name in YAML. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The distribution with that label, if there is one. */
  public static Optional<Distribution> of(String label) {
    for (Distribution distribution : values()) {
      if (distribution.label().equals(label)) {
        return Optional.of(distribution);
      }
    }
    return Optional.empty();
  }
}
