package kvrank.run.measure;

import java.util.Optional;
import kvrank.machine.SyncProbe;
import kvrank.plan.RunSpec;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;

/** Executes runs, one after the other. */
public interface RunExecutor {

  /** A run, the folder for its files, and the probe of the device under the data, if any. */
  record Task(
      RunSpec run, RunDirectory directory, Optional<SyncProbe> probe, ExecutionListener listener) {}

  /** Executes a run; always returns a record, whatever happens to the engine. */
  RunRecord execute(Task task) throws InterruptedException;

  /** Ends the current run, if there is one. Safe to call from a shutdown hook. */
  void abort();
}
