package kvrank.run.measure;

import java.util.Optional;
import kvrank.machine.SyncProbe;
import kvrank.plan.RunSpec;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;

/** Takes runs through their lives, one after the other. */
public interface RunExecutor {

  /**
   * A run to be done.
   *
   * @param directory where its files go
   * @param probe what was found of the device under the data directories, if it was looked at
   */
  record Task(
      RunSpec run, RunDirectory directory, Optional<SyncProbe> probe, ExecutionListener listener) {}

  /** Does a run; always returns a record, whatever happens to the engine. */
  RunRecord execute(Task task) throws InterruptedException;

  /** Ends the run in progress, if there is one. Safe to call from a shutdown hook. */
  void abort();
}
