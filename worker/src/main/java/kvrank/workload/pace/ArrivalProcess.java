package kvrank.workload.pace;

import java.util.Optional;
import kvrank.workload.request.Labelled;

/** How the requests of an open loop are spread over time, at one mean rate. */
public enum ArrivalProcess implements Labelled {
  CONSTANT,
  /** Independent, as from many users: gaps are exponentially distributed. */
  POISSON;

  public static Optional<ArrivalProcess> of(String label) {
    return Labelled.of(ArrivalProcess.class, label);
  }
}
