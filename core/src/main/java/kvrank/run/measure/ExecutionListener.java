package kvrank.run.measure;

import java.util.List;
import java.util.Set;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineSpec;
import kvrank.worker.protocol.WorkerMessage;

/** Receives the progress of an execution; by default, ignores it. */
public interface ExecutionListener {

  /** Reports the methods for {@code engine}, the preferred first; none without a binding. */
  default void surveyed(EngineSpec engine, List<MethodStatus> methods) {}

  /** Reports something that readers of the measurements need to know. */
  default void warned(String warning) {}

  /** Reports something worth a line. */
  default void found(String fact) {}

  /** Reports the start of these runs, except for those of missing engines. */
  default void began(List<RunSpec> runs, Set<String> missing) {}

  /** Reports the results so far and the runs that follow, if any. */
  default void looked(String known, List<RunSpec> next) {}

  /**
   * Reports the start of run {@code index} of {@code total}, from 1, without those of missing
   * engines and those that cannot be started.
   */
  default void started(RunSpec run, int index, int total) {}

  default void phase(RunSpec run, String phase) {}

  /** Reports the progress of the current phase, about once a second. */
  default void progress(RunSpec run, WorkerMessage.Progress progress) {}

  /** Reports that {@code run} is over and its record written. */
  default void finished(RunSpec run, RunRecord record) {}

  /** Reports that {@code run} was over when this execution was resumed. */
  default void skipped(RunSpec run, int index, int total) {}

  /** Reports an interrupt; {@code results} has the finished runs. */
  default void interrupted(ResultsDirectory results) {}
}
