package kvrank.worker.client;

import kvrank.failure.Cause;
import kvrank.worker.protocol.WorkerException;
import kvrank.worker.protocol.WorkerPhase;
import site.ycsb.DB;
import site.ycsb.Workload;

/**
 * Runs the transactions of a YCSB workload, or its inserts in a load. Each call is measured; rate
 * and count are of transactions.
 */
final class HostedLoop implements Loop {

  private final PhaseSetup setup;
  private final YcsbWorkloadHost ycsbHost;
  private final Pacer pacer;
  private final OperationRecorder recorder;
  private final MeasuringDb binding;
  private final Wait wait;
  private final int thread;

  HostedLoop(
      PhaseSetup setup,
      YcsbWorkloadHost ycsbHost,
      int thread,
      Pacer pacer,
      OperationRecorder recorder) {
    this.setup = setup;
    this.ycsbHost = ycsbHost;
    this.thread = thread;
    this.pacer = pacer;
    this.recorder = recorder;
    this.wait = setup.newWait();
    this.binding = new MeasuringDb(setup.binding(thread), recorder);
  }

  @Override
  public void run(long origin) throws WorkerException {
    Workload workload = ycsbHost.workload();
    Object state = ycsbHost.threadState(thread);
    boolean more = true;
    long now = wait.until(0, origin);
    while (more && !pacer.over(now) && !setup.stopped() && !workload.isStopRequested()) {
      long due = pacer.due();
      long start = wait.until(due, origin);
      long from = pacer.open() ? due : start;
      binding.begin(origin, pacer.open() ? due : MeasuringDb.AT_ONCE, recorder.counts(from));
      more = transaction(workload, state);
      binding.end();
      now = System.nanoTime() - origin;
      pacer.took(1, recorder.counts(from));
    }
  }

  /**
   * Runs one transaction; returns whether there are more. A failed insert is an error but, as in
   * YCSB's own client, not the end.
   */
  private boolean transaction(Workload workload, Object state) throws WorkerException {
    DB db = binding;
    try {
      return setup.phase().kind() == WorkerPhase.Kind.LOAD
          ? workload.doInsert(db, state) || binding.failed()
          : workload.doTransaction(db, state);
    } catch (RuntimeException | LinkageError e) {
      throw WorkerException.unlessRefused(
          Cause.INPUT,
          setup.phase().name(),
          ycsbHost.name() + " threw " + WorkerException.summary(e),
          e);
    }
  }
}
