package kvrank.run.crash;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import kvrank.failure.Cause;
import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;
import kvrank.provision.server.ConnectionCount;
import kvrank.provision.server.ConnectionWatch;
import kvrank.provision.server.PortTakenException;
import kvrank.provision.server.SilentException;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.run.worker.BrokenException;

/** Who is to blame if a crash could not be checked, or may show losses that others caused. */
final class CrashBlame {

  private CrashBlame() {}

  static Failure failure(Exception e) {
    return e instanceof BrokenException broken
        ? broken.failure()
        : ((ProvisionException) e).failure();
  }

  /** Returns whether the engine cannot have caused {@code e} to hide a loss. */
  static boolean ofOthers(Exception e) {
    return e instanceof BrokenException broken
        ? broken.ofWorker()
        : e.getCause() instanceof PortTakenException;
  }

  /**
   * Returns whether a failure after a kill is not the engine's, and adds its cause to {@code
   * hidden}: an engine that ends for unknown reasons is excused once.
   *
   * @param crowded whether others had connections to its server
   */
  static boolean excused(Exception e, boolean crowded, List<Cause> hidden) {
    Cause cause = failure(e).cause();
    if (!cause.worthAnotherTry()) {
      return false;
    }
    boolean others = crowded || ofOthers(e);
    hidden.add(others ? Cause.HARNESS : cause);
    return others || Collections.frequency(hidden, Cause.OUTSIDER) < Crash.REPEATEDLY;
  }

  /** Returns whether the engine ran, but did not answer in time. */
  static boolean late(Exception e) {
    return e instanceof BrokenException broken
        ? broken.late()
        : e.getCause() instanceof SilentException;
  }

  /**
   * Returns the failure if others may have caused losses or hidden them: any who connected to an
   * {@code open} server.
   *
   * @param others the connections that the server has counted
   * @param seen connections during the check
   */
  static Optional<Failure> intrusion(
      boolean open, long others, Optional<ConnectionWatch.Seen> seen) {
    return open ? ConnectionCount.intrusion(others, true, 0, seen) : Optional.empty();
  }

  /** Throws if others were connected during the writes; they could make them durable or not. */
  static void refuseOthers(Optional<ConnectionWatch.Seen> seen) throws BrokenException {
    Optional<Failure> intrusion = ConnectionCount.intrusion(0, false, 0, seen);
    if (intrusion.isPresent()) {
      throw new BrokenException(intrusion.get());
    }
  }
}
