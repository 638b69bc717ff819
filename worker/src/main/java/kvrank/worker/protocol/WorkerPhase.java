package kvrank.worker.protocol;

import java.util.Optional;
import java.util.Set;
import kvrank.workload.ClientSettings;
import kvrank.workload.HostedWorkload;
import kvrank.workload.OperationMix;
import kvrank.workload.pace.Pacing;
import kvrank.workload.request.Operation;

/**
 * One measured phase of a run, with everything resolved.
 *
 * @param name the phase's name, unique in its run
 * @param kind the load, a mix of operations over the records that were loaded, a trace, or a half
 *     of a crash test
 * @param mix the operations; of a crash test their weights alone count
 * @param settings how the clients apply them
 * @param hosted the workload of YCSB that is applied instead of a mix, or instead of the load; its
 *     keys, values and choices are its own, {@code mix} does not apply
 */
public record WorkerPhase(
    String name,
    Kind kind,
    OperationMix mix,
    ClientSettings settings,
    Optional<HostedWorkload> hosted) {

  /**
   * Returns a step of a sweep over this phase, with operations and files of its own.
   *
   * @param rate operations per second of all threads together, or 0 for as fast as it goes
   * @param times how many times as long as the phase it is measured
   */
  public WorkerPhase step(String name, double rate, int times) {
    Pacing pacing = new Pacing(rate, settings.pacing().arrivals());
    ClientSettings stepSettings = settings.with(pacing).with(settings.limits().times(times));
    return new WorkerPhase(name, kind, mix, stepSettings, hosted);
  }

  /** Returns the operations of the mix. */
  public Set<Operation> operations() {
    return mix.operations();
  }

  /** Returns whether it writes records whether or not they are there. */
  public boolean updates() {
    return mix.fill()
        || operations().contains(Operation.UPDATE)
        || operations().contains(Operation.READ_MODIFY_WRITE);
  }

  /** The kinds of phases. */
  public enum Kind {
    /** Inserts every record once; pacing and limits do not apply. */
    LOAD,
    /** Applies the mix. */
    MIX,
    /** Applies the requests of the records' trace, to its end unless limits come before. */
    TRACE,
    /** Applies the mix to whatever the phase before has left: nothing is brought back for it. */
    PROOF,
    /**
     * Applies the writes of a crash test as fast as it goes, until the engine is gone; pacing and
     * limits do not apply.
     */
    CRASH_WRITES,
    /** Reads what a crash left of the writes that the counters say were acknowledged. */
    CRASH_CHECK;

    /** Returns whether it is a half of a crash test. */
    public boolean ofCrashTest() {
      return this == CRASH_WRITES || this == CRASH_CHECK;
    }
  }
}
