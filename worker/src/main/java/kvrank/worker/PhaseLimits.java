package kvrank.worker;

import java.time.Duration;
import java.util.Set;
import kvrank.workload.Limits;
import kvrank.workload.Operation;
import kvrank.workload.RequestPlan;

/**
 * What ends the stages of a phase, for one thread.
 *
 * @param warmupNanos when requests begin to count, after the start
 * @param deadlineNanos when no further request begins in a closed loop or is due in an open one
 * @param giveUpNanos when no further request begins in an open loop, though it was due in time
 * @param records how many records count, or {@link Long#MAX_VALUE}
 */
record PhaseLimits(long warmupNanos, long deadlineNanos, long giveUpNanos, long records) {

  /**
   * The shortest and the longest time that an engine has for the requests that were due before the
   * deadline and are late; between them, as long again as was measured.
   */
  private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);

  private static final Duration LONGEST_GRACE = Duration.ofSeconds(10);

  private static final PhaseLimits NONE = records(Long.MAX_VALUE);

  /** No end but after so many records. */
  static PhaseLimits records(long records) {
    return counted(0, records);
  }

  private static PhaseLimits counted(long warmupNanos, long records) {
    return new PhaseLimits(warmupNanos, Long.MAX_VALUE, Long.MAX_VALUE, records);
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
      return counted(warmup, (limits.operations() - thread + clients - 1) / clients);
    }
    if (limits.duration().isZero()) {
      return counted(warmup, Long.MAX_VALUE);
    }
    long deadline = warmup + limits.duration().toNanos();
    return new PhaseLimits(
        warmup, deadline, deadline + grace(limits.duration()).toNanos(), Long.MAX_VALUE);
  }

  private static Duration grace(Duration measured) {
    Duration most = measured.compareTo(LONGEST_GRACE) < 0 ? measured : LONGEST_GRACE;
    return most.compareTo(SHORTEST_GRACE) < 0 ? SHORTEST_GRACE : most;
  }

  /** Returns the number of records that the whole phase is for, or 0 if only time ends it. */
  static long target(WorkerPhase phase, RequestPlan plan) {
    Limits limits = phase.settings().limits();
    boolean deletesAlone = phase.operations().equals(Set.of(Operation.DELETE));
    boolean empties = phase.mix().drain() && deletesAlone && !limits.counted();
    return phase.kind() == WorkerPhase.Kind.LOAD || empties ? plan.records() : limits.operations();
  }
}
