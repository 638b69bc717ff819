package kvrank.worker;

import kvrank.workload.MixRequests;
import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.Status;

/** One thread of a phase: applies its requests, one after the other, and counts and times them. */
final class Client {

  /** So many failed requests in a row, or only failed ones for so long: the engine is gone. */
  private static final int HOPELESS_STREAK = 1_000;

  private static final long HOPELESS_NANOS = 3_000_000_000L;

  private final PhaseSetup setup;
  private final PhaseLimits limits;
  private final Requests requests;
  private final Calls calls;
  private final Schedule schedule;
  private final Answer answer = new Answer();
  private final Tally warmup;
  private final Tally measured;
  private long left;
  private long scheduled;
  private long streak;
  private long streakStart;
  private String lastException = "";

  Client(PhaseSetup setup, int thread) {
    this.setup = setup;
    this.limits = PhaseLimits.of(setup.phase(), thread);
    this.requests = setup.requests(thread);
    this.calls = setup.calls(thread);
    this.schedule = setup.schedule(thread);
    this.warmup = setup.tally();
    this.measured = setup.tally();
    this.left = limits.records();
  }

  /**
   * Applies requests until there are no more, the time is over or the phase has been stopped.
   *
   * @param origin the start, as {@link System#nanoTime} told it
   * @throws WorkerException if it is hopeless
   */
  void run(long origin) throws WorkerException {
    boolean open = schedule != null;
    long now = Schedule.await(0, origin);
    while (now < limits.deadlineNanos() && left > 0 && !setup.stopped()) {
      long due = open ? schedule.due(scheduled) : 0;
      if (due >= limits.deadlineNanos() || !requests.next((int) Math.min(left, batch()))) {
        break;
      }
      Operation operation = requests.operation();
      Call call = calls.of(operation);
      call.prepare(requests);
      boolean drawn = !requests.compensating();
      boolean paced = open && drawn;
      long start = paced ? Schedule.await(due, origin) : System.nanoTime() - origin;
      Status status = apply(call, operation);
      now = System.nanoTime() - origin;
      call.judge(status, answer);
      boolean counts = start >= limits.warmupNanos();
      record(counts ? measured : warmup, operation, paced ? due : start, start, now);
      if (counts && drawn && left != Long.MAX_VALUE) {
        left -= requests.size();
      }
      if (paced) {
        scheduled++;
      }
    }
  }

  private int batch() {
    return setup.phase().batch();
  }

  private Status apply(Call call, Operation operation) {
    try {
      return call.apply();
    } catch (Exception | LinkageError | AssertionError e) {
      lastException = " (" + WorkerException.summary(e) + ")";
      setup.exceptions().add(setup.phase().name() + "/" + operation.label(), e);
      return Answer.EXCEPTION;
    }
  }

  private void record(Tally tally, Operation operation, long due, long start, long end)
      throws WorkerException {
    tally.record(operation, answer, start, end);
    if (answer.errors() > 0) {
      failed(operation, start, end);
      return;
    }
    streak = 0;
    if (schedule == null) {
      tally.latency(operation, end - start);
    } else {
      tally.latency(operation, end - due, start - due);
    }
  }

  private void failed(Operation operation, long start, long end) throws WorkerException {
    if (streak++ == 0) {
      streakStart = start;
    }
    boolean tooLong = streak > 1 && end - streakStart > HOPELESS_NANOS;
    if (streak >= HOPELESS_STREAK || tooLong) {
      throw new WorkerException(
          setup.phase().name(),
          streak
              + " requests of one thread failed in a row, the last error was "
              + answer.error()
              + lastException
              + " of "
              + operation.label());
    }
  }

  /**
   * Inserts what the phase left missing, uncounted.
   *
   * @param end one more than the greatest number of a record that any thread inserted
   * @throws WorkerException if the engine refuses one
   */
  void restore(long end) throws WorkerException {
    if (!(requests instanceof MixRequests mix)) {
      return;
    }
    Requests missing = mix.restoration(end);
    Call insert = calls.of(Operation.INSERT);
    while (missing.next(batch()) && !setup.stopped()) {
      insert.prepare(missing);
      insert.judge(apply(insert, Operation.INSERT), answer);
      if (answer.ok() < missing.size()) {
        throw new WorkerException(
            setup.phase().name(),
            "records that the phase deleted could not be inserted again: "
                + answer.error()
                + lastException);
      }
    }
  }

  Requests requests() {
    return requests;
  }

  Tally warmup() {
    return warmup;
  }

  Tally measured() {
    return measured;
  }

  /** The number of requests that were due in time and that the engine was too slow to get to. */
  long missed() {
    boolean timed = limits.deadlineNanos() != Long.MAX_VALUE;
    return schedule != null && timed ? schedule.dueBefore(limits.deadlineNanos()) - scheduled : 0;
  }
}
