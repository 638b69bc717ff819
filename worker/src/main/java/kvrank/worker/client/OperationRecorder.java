package kvrank.worker.client;

import java.util.Set;
import kvrank.worker.call.OperationResult;
import kvrank.worker.protocol.WorkerException;
import kvrank.workload.request.Operation;
import site.ycsb.Status;

/** Records the outcomes of one client's requests, and gives up on an engine that seems gone. */
final class OperationRecorder {

  /** An engine is gone after this many failed requests in a row, or only failures for this long. */
  private static final int HOPELESS_STREAK = 1_000;

  private static final long HOPELESS_NANOS = 3_000_000_000L;

  /**
   * Counts and latencies of the clients of one thread, by the stages of a phase. With histograms of
   * their own, thousands of clients would fill the heap.
   *
   * @param compensation of compensating inserts in the measured time
   */
  record Stats(ThreadStats warmup, ThreadStats measured, ThreadStats compensation) {

    /** Those of a client whose thread has another client that shows them. */
    static final Stats SHOWN = new Stats(empty(), empty(), empty());

    static Stats of(PhaseSetup setup, int client) {
      return new Stats(setup.stats(client), setup.stats(client), empty());
    }

    private static ThreadStats empty() {
      return new ThreadStats(Set.of(), false);
    }
  }

  private final PhaseSetup setup;
  private final boolean open;
  private final PhaseStages stages;
  private final ThreadStats warmup;
  private final ThreadStats measured;
  private final ThreadStats compensation;
  private final Outages outages = new Outages();
  private long streak;
  private long streakStart;
  private boolean failedBefore;

  OperationRecorder(PhaseSetup setup, int client, Stats stats) {
    this.setup = setup;
    this.open = setup.paced(client);
    this.stages = setup.stages();
    this.warmup = stats.warmup();
    this.measured = stats.measured();
    this.compensation = stats.compensation();
  }

  /**
   * Returns whether a request counts.
   *
   * @param due when it should have started, or did
   */
  boolean counts(long due) {
    return due >= stages.measureNanos();
  }

  /**
   * Records {@code result}; times are nanoseconds after the start.
   *
   * @param due when the request should have started; {@code start} if it was not due at a time
   */
  void enter(Operation operation, OperationResult result, long due, long start, long end)
      throws WorkerException {
    enter(counts(due), operation, result, due, start, end);
  }

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

  /** Records {@code result} of a request within a transaction, which was not due at a time. */
  void within(boolean counts, Operation operation, OperationResult result, long start, long end)
      throws WorkerException {
    ThreadStats stats = counts ? measured : warmup;
    stats.record(operation, result, start, end);
    if (result.errors() > 0) {
      failed(operation, result, start, end);
      return;
    }
    streak = 0;
    stats.latency(operation, end - start);
  }

  /**
   * Records an attempt of a request that failed and is repeated.
   *
   * @param due as in {@link #enter}
   */
  void failedOnce(Operation operation, OperationResult result, long due, long start, long end) {
    (counts(due) ? measured : warmup).record(operation, result, start, end);
    if (!failedBefore) {
      failedBefore = true;
      setup.checkForRefusal();
    }
  }

  /**
   * Records a request that failed at least once: {@link #enter} has its answer, unless it never
   * succeeded.
   *
   * @param due as in {@link #enter}
   * @param from the start of its first attempt
   * @param to the end of its last attempt
   */
  void repeated(Operation operation, OperationResult result, long due, long from, long to) {
    outages.add(from, to);
    ThreadStats stats = counts(due) ? measured : warmup;
    stats.repeated(result.records());
    if (result.errors() > 0) {
      // It waited for at least this long.
      stats.latency(operation, to - due);
    }
  }

  /**
   * Records a request that follows from others: a fill as its own operation, a compensating insert
   * separately, of the warm-up only its bytes. Failures count as errors.
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
    } else {
      warmup.bytes(result);
    }
  }

  /** Records a request that was due and never sent, with its waiting time as a lower bound. */
  void unsent(Operation operation, long due, long now) {
    (counts(due) ? measured : warmup).unsent(operation, now - due);
  }

  private void failed(Operation operation, OperationResult result, long start, long end)
      throws WorkerException {
    if (operation == Operation.INSERT) {
      setup.insertFailed();
    }
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

  Status threw(Operation operation, Throwable thrown) {
    setup.exceptions().add(setup.phase().name() + "/" + operation.label(), thrown);
    return OperationResult.EXCEPTION;
  }

  Outages outages() {
    return outages;
  }
}
