package kvrank.worker.protocol;

import java.util.Optional;
import java.util.Set;
import kvrank.workload.ClientSettings;
import kvrank.workload.HostedWorkload;
import kvrank.workload.OperationMix;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/**
 * One measured phase of a run, completely resolved.
 *
 * @param name unique in its run
 * @param mix the operations; a crash test uses only their weights
 * @param settings how clients apply them
 * @param hosted a YCSB workload that replaces the mix or the load, with its own keys and values
 */
public record WorkerPhase(
    String name,
    Kind kind,
    OperationMix mix,
    ClientSettings settings,
    Optional<HostedWorkload> hosted) {

  /**
   * Returns a step of a sweep over this phase.
   *
   * @param rate operations per second of all threads, 0 for unlimited
   * @param times factor of the phase's measured time
   */
  public WorkerPhase step(String name, double rate, int times) {
    Pacing pacing = new Pacing(rate, settings.pacing().arrivals());
    ClientSettings stepSettings = settings.with(pacing).with(settings.limits().times(times));
    return new WorkerPhase(name, kind, mix, stepSettings, hosted);
  }

  public Set<Operation> operations() {
    return mix.operations();
  }

  /** Returns whether it writes records that may not exist. */
  public boolean updates() {
    return mix.fill()
        || operations().contains(Operation.UPDATE)
        || operations().contains(Operation.READ_MODIFY_WRITE);
  }

  public enum Kind {
    /** Inserts every record once, without pacing and limits. */
    LOAD,
    MIX,
    /** Applies the requests of the trace, up to the limits. */
    TRACE,
    /** Applies the mix to the records as the previous phase left them. */
    PROOF,
    /** Writes as fast as possible until the engine is killed; without pacing and limits. */
    CRASH_WRITES,
    /** Checks acknowledged writes after the kill. */
    CRASH_CHECK;

    public boolean ofCrashTest() {
      return this == CRASH_WRITES || this == CRASH_CHECK;
    }
  }
}
