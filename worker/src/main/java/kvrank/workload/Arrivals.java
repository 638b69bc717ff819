package kvrank.workload;

import java.util.Locale;
import java.util.Optional;

/** How the requests of an open loop are spread over time, at one mean rate. */
public enum Arrivals {
  /** At equal distances. */
  CONSTANT,
  /**
   * Independently of each other, as from many users: the gaps have the exponential distribution.
   */
  POISSON;

  /** The name in YAML. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The arrivals with that label, if there are such. */
  public static Optional<Arrivals> of(String label) {
    for (Arrivals arrivals : values()) {
      if (arrivals.label().equals(label)) {
        return Optional.of(arrivals);
      }
    }
    return Optional.empty();
  }
}
