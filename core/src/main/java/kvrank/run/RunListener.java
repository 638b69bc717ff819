package kvrank.run;

import kvrank.plan.RunSpec;
import kvrank.results.RunRecord;
import kvrank.worker.WorkerMessage;

/** Is told how runs go, one after the other; by default, it does not listen. */
public interface RunListener {

  /** {@code run} begins; it is number {@code index} of {@code total}, from 1. */
  default void started(RunSpec run, int index, int total) {}

  /** A phase of {@code run} begins. */
  default void phase(RunSpec run, String phase) {}

  /** How far the current phase is, about once a second. */
  default void progress(RunSpec run, WorkerMessage.Progress progress) {}

  /** {@code run} is over and its record is on disk. */
  default void finished(RunSpec run, RunRecord record) {}

  /** {@code run} was over already when this execution was resumed. */
  default void skipped(RunSpec run, int index, int total) {}
}
