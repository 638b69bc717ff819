package kvrank.worker;

import kvrank.workload.Operation;
import kvrank.workload.Requests;
import site.ycsb.Status;

/** One request after the other. */
final class SerialLoop implements Loop {

  private final PhaseSetup setup;
  private final Requests requests;
  private final Calls calls;
  private final Pace pace;
  private final Books books;
  private final int batch;
  private final Answer answer = new Answer();

  SerialLoop(PhaseSetup setup, Requests requests, Calls calls, Pace pace, Books books) {
    this.setup = setup;
    this.requests = requests;
    this.calls = calls;
    this.pace = pace;
    this.books = books;
    this.batch = setup.phase().batch();
  }

  @Override
  public void run(long origin) throws WorkerException {
    long now = Wait.until(0, origin);
    while (!pace.over(now) && !setup.stopped()) {
      if (!requests.next(pace.room(batch))) {
        break;
      }
      now = one(origin);
    }
  }

  /** Applies the request that {@link Requests} is at; the time of its end. */
  long one(long origin) throws WorkerException {
    Operation operation = requests.operation();
    Call call = calls.of(operation);
    call.prepare(requests);
    boolean drawn = !requests.compensating();
    boolean paced = pace.open() && drawn;
    long due = pace.due();
    long start = paced ? Wait.until(due, origin) : System.nanoTime() - origin;
    Status status = apply(call, operation);
    long end = System.nanoTime() - origin;
    call.judge(status, answer);
    books.enter(operation, answer, paced ? due : start, start, end);
    if (drawn) {
      pace.took(requests.size(), books.counts(start));
    }
    return end;
  }

  private Status apply(Call call, Operation operation) {
    try {
      return call.apply();
    } catch (Exception | LinkageError | AssertionError e) {
      return books.threw(operation, e);
    }
  }

  /**
   * Inserts {@code missing}, uncounted.
   *
   * @throws WorkerException if the engine refuses one
   */
  void restore(Requests missing) throws WorkerException {
    Call insert = calls.of(Operation.INSERT);
    while (missing.next(batch) && !setup.stopped()) {
      insert.prepare(missing);
      insert.judge(apply(insert, Operation.INSERT), answer);
      if (answer.ok() < missing.size()) {
        throw new WorkerException(
            setup.phase().name(),
            "records that the phase deleted could not be inserted again: "
                + answer.error()
                + books.lastException());
      }
    }
  }
}
