package kvrank.worker.client;

import java.util.Set;
import kvrank.worker.call.OperationResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.request.Operation;
import site.ycsb.Status;

/** Where one thread enters what became of its requests; says when there is no hope left. */
final class OperationRecorder {

  /** So many failed requests in a row, or only failed ones for so long: the engine is gone. */
  private static final int HOPELESS_STREAK = 1_000;

  private static final long HOPELESS_NANOS = 3_000_000_000L;

  private final PhaseSetup setup;
  private final boolean open;
  private final PhaseStages stages;
  private final ThreadStats warmup;
  private final ThreadStats measured;
  private final ThreadStats compensation;
  private long streak;
  private long streakStart;
  private boolean failedBefore;

  OperationRecorder(PhaseSetup setup) {
    this.setup = setup;
    this.open = setup.phase().settings().pacing().open();
    this.stages = setup.stages();
    this.warmup = setup.stats();
    this.measured = setup.stats();
    this.compensation = new ThreadStats(Set.of(), false);
  }

  /**
   * Whether a request counts.
   *
   * @param due when it should have started, or did where nothing was due
   */
  boolean counts(long due) {
    return due >= stages.measureNanos();
  }

  /**
   * Enters {@code result}; times are nanoseconds after the start.
   *
   * @param due when the request should have started; {@code start} where nothing was due
   */
  void enter(Operation operation, OperationResult result, long due, long start, long end)
      throws WorkerException {
    enter(counts(due), operation, result, due, start, end);
  }

  /**
   * Enters {@code result} of a request that counts or does not.
   *
   * @see #enter(Operation, OperationResult, long, long, long)
   */
  void enter(
      boolean counts, Operation operation, OperationResult result, long due, long start, long end)
      throws WorkerException {
    ThreadStats stats = counts ? measured : warmup;
    stats.record(operation, result, start, end);
    if (result.errors() > 0) {
      failed(operation, result, start, end);
      return;
    }
    streak = 0;
    if (open) {
      stats.latency(operation, end - due, start - due);
    } else {
      stats.latency(operation, end - start);
    }
  }

  /**
   * Enters a request that follows from others: a fill as an operation of its own, which nothing was
   * due for; what makes up for deletes apart from what the workload asked for. One that failed is
   * an error like any other.
   */
  void compensated(Operation operation, OperationResult result, long start, long end)
      throws WorkerException {
    if (result.errors() > 0) {
      enter(operation, result, start, start, end);
    } else if (operation == Operation.FILL) {
      ThreadStats stats = counts(start) ? measured : warmup;
      stats.record(operation, result, start, end);
      stats.latency(operation, end - start);
    } else if (counts(start)) {
      compensation.record(operation, result, start, end);
      compensation.latency(operation, end - start);
    }
  }

  /**
   * Enters a request that was due and was never sent: how long it had waited by {@code now}, which
   * is the least that its user would have waited.
   */
  void unsent(Operation operation, long due, long now) {
    (counts(due) ? measured : warmup).unsent(operation, now - due);
  }

  private void failed(Operation operation, OperationResult result, long start, long end)
      throws WorkerException {
    if (!failedBefore) {
      failedBefore = true;
      setup.checkForRefusal();
    }
    if (streak++ == 0) {
      streakStart = start;
    }
    boolean tooLong = streak > 1 && end - streakStart > HOPELESS_NANOS;
    if (streak >= HOPELESS_STREAK || tooLong) {
      throw WorkerException.ofEngine(
          setup.phase().name(),
          streak
              + " requests of one thread failed in a row, the last error was "
              + result.error()
              + " of "
              + operation.label()
              + WorkerException.said(),
          null);
    }
  }

  /** The status of a request that ended with {@code thrown}. */
  Status threw(Operation operation, Throwable thrown) {
    setup.exceptions().add(setup.phase().name() + "/" + operation.label(), thrown);
    return OperationResult.EXCEPTION;
  }

  ThreadStats warmup() {
    return warmup;
  }

  ThreadStats measured() {
    return measured;
  }

  /** What made up for others in the measured stretch. */
  ThreadStats compensation() {
    return compensation;
  }
}
