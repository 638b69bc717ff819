package kvrank.workload.pace;

import java.util.Optional;
import kvrank.workload.request.Labelled;

/** How the requests of an open loop are spread over time, at one mean rate. */
public enum ArrivalProcess implements Labelled {
  /** At equal distances. */
  CONSTANT,
  /**
   * Independently of each other, as from many users: the gaps have the exponential distribution.
   */
  POISSON;

  /** The arrivals with that label, if there are such. */
  public static Optional<ArrivalProcess> of(String label) {
    return Labelled.of(ArrivalProcess.class, label);
  }
}
