package kvrank.run.measure;

import java.util.List;
import java.util.Set;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.scenario.EngineSpec;
import kvrank.worker.protocol.WorkerMessage;

/** Is told how an execution goes and its runs, one after the other; by default, does not listen. */
public interface ExecutionListener {

  /**
   * {@code engine} was looked for: these are its ways, the preferred first; none if it has no
   * binding.
   */
  default void surveyed(EngineSpec engine, List<MethodStatus> methods) {}

  /** Something was found that a reader of the measurements has to know. */
  default void warned(String warning) {}

  /** Something was found that is worth a line. */
  default void found(String fact) {}

  /** The runs begin, these in order, but for those of the engines whose labels are missing. */
  default void began(List<RunSpec> runs, Set<String> missing) {}

  /** The values came to what is {@code known}; these runs follow, none if those were the last. */
  default void looked(String known, List<RunSpec> next) {}

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

  /** The execution was interrupted; what was measured is kept in {@code results}. */
  default void interrupted(ResultsDirectory results) {}
}
