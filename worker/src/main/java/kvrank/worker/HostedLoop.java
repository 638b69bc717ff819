package kvrank.worker;

import site.ycsb.DB;
import site.ycsb.Workload;

/**
 * One transaction of a workload of YCSB after the other, or one insert in a load. What a
 * transaction does is measured call by call; rate and count are of transactions.
 */
final class HostedLoop implements Loop {

  private final PhaseSetup setup;
  private final Hosting hosting;
  private final Pace pace;
  private final Books books;
  private final MeasuringDb binding;
  private final int thread;

  HostedLoop(PhaseSetup setup, Hosting hosting, int thread, Pace pace, Books books) {
    this.setup = setup;
    this.hosting = hosting;
    this.thread = thread;
    this.pace = pace;
    this.books = books;
    this.binding = new MeasuringDb(setup.binding(thread), books);
  }

  @Override
  public void run(long origin) throws WorkerException {
    Workload workload = hosting.workload();
    Object state = hosting.threadState(thread);
    boolean more = true;
    long now = Wait.until(0, origin);
    while (more && !pace.over(now) && !setup.stopped() && !workload.isStopRequested()) {
      long due = pace.due();
      long start = Wait.until(due, origin);
      binding.begin(origin, pace.open() ? due : MeasuringDb.AT_ONCE);
      more = transaction(workload, state);
      binding.end();
      now = System.nanoTime() - origin;
      pace.took(1, books.counts(start));
    }
  }

  /**
   * One transaction; whether the workload has more for this thread. An insert that failed was
   * counted as that: its false is no end, as YCSB's own client takes it.
   */
  private boolean transaction(Workload workload, Object state) throws WorkerException {
    DB db = binding;
    try {
      return setup.phase().kind() == WorkerPhase.Kind.LOAD
          ? workload.doInsert(db, state) || binding.failed()
          : workload.doTransaction(db, state);
    } catch (RuntimeException | LinkageError e) {
      throw new WorkerException(
          setup.phase().name(), hosting.name() + " threw " + WorkerException.summary(e), e);
    }
  }
}
