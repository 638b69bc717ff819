package kvrank.worker;

import java.util.Set;
import kvrank.workload.Limits;
import kvrank.workload.Operation;
import kvrank.workload.RequestPlan;

/**
 * What ends the stages of a phase, for one thread.
 *
 * @param warmupNanos when requests begin to count, after the start
 * @param deadlineNanos when no further request begins
 * @param records how many records count, or {@link Long#MAX_VALUE}
 */
record PhaseLimits(long warmupNanos, long deadlineNanos, long records) {

  private static final PhaseLimits NONE = new PhaseLimits(0, Long.MAX_VALUE, Long.MAX_VALUE);

  /** No end but after so many records. */
  static PhaseLimits records(long records) {
    return new PhaseLimits(0, Long.MAX_VALUE, records);
  }

  static PhaseLimits of(WorkerPhase phase, int thread) {
    if (phase.kind() == WorkerPhase.Kind.LOAD) {
      return NONE;
    }
    Limits limits = phase.settings().limits();
    // What is drained in a warm-up could not be drained again.
    long warmup = phase.mix().drain() ? 0 : limits.warmup().toNanos();
    if (limits.counted()) {
      int clients = phase.settings().clients();
      return new PhaseLimits(
          warmup, Long.MAX_VALUE, (limits.operations() - thread + clients - 1) / clients);
    }
    boolean timed = !limits.duration().isZero();
    return new PhaseLimits(
        warmup, timed ? warmup + limits.duration().toNanos() : Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Returns the number of records that the whole phase is for, or 0 if only time ends it. */
  static long target(WorkerPhase phase, RequestPlan plan) {
    Limits limits = phase.settings().limits();
    boolean deletesAlone = phase.operations().equals(Set.of(Operation.DELETE));
    boolean empties = phase.mix().drain() && deletesAlone && !limits.counted();
    return phase.kind() == WorkerPhase.Kind.LOAD || empties ? plan.records() : limits.operations();
  }
}
