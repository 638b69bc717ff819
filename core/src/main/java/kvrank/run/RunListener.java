package kvrank.run;

import kvrank.plan.RunSpec;
import kvrank.results.RunRecord;
import kvrank.worker.WorkerMessage;

/** Hears how a scenario goes, one run after the other. */
public interface RunListener {

  /** {@code run} begins; it is number {@code index} of {@code total}, from 1. */
  void started(RunSpec run, int index, int total);

  /** A phase of {@code run} begins. */
  void phase(RunSpec run, String phase);

  /** How far the current phase is, about once a second. */
  void progress(RunSpec run, WorkerMessage.Progress progress);

  /** {@code run} is over and its record is on disk. */
  void finished(RunSpec run, RunRecord record);

  /** {@code run} was over already when this execution was resumed. */
  void skipped(RunSpec run, int index, int total);
}
