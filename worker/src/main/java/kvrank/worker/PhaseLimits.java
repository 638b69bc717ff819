package kvrank.worker;

import java.util.Set;
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
    // What is drained in a warm-up could not be drained again.
    long warmup = phase.drain() ? 0 : phase.warmup().toNanos();
    if (phase.count() > 0) {
      int threads = phase.clients();
      return new PhaseLimits(
          warmup, Long.MAX_VALUE, (phase.count() - thread + threads - 1) / threads);
    }
    boolean timed = !phase.duration().isZero();
    return new PhaseLimits(
        warmup, timed ? warmup + phase.duration().toNanos() : Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** The number of records that the whole phase is for, or 0 if only time ends it. */
  static long target(WorkerPhase phase, RequestPlan plan) {
    boolean deletesAlone = phase.operations().keySet().equals(Set.of(Operation.DELETE));
    boolean empties = phase.drain() && deletesAlone && phase.count() == 0;
    return phase.kind() == WorkerPhase.Kind.LOAD || empties ? plan.records() : phase.count();
  }
}
