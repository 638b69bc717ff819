package kvrank.run;

import java.util.List;
import java.util.Set;
import kvrank.plan.RunSpec;
import kvrank.provision.MethodStatus;
import kvrank.results.ResultsDirectory;
import kvrank.scenario.EngineSpec;

/** Is told how an execution goes. */
public interface ExecutionListener extends RunListener {

  /**
   * {@code engine} was looked for.
   *
   * @param methods every method by which it can be provisioned, in the order of preference; empty
   *     if it has no binding yet
   */
  void surveyed(EngineSpec engine, List<MethodStatus> methods);

  /** Something was found that a reader of the measurements has to know. */
  void warned(String warning);

  /** Something was found that is worth a line. */
  void found(String fact);

  /**
   * The runs begin.
   *
   * @param runs all of them, in order
   * @param missing the labels of engines that are not available here
   */
  void began(List<RunSpec> runs, Set<String> missing);

  /** The execution was interrupted; what was measured is kept in {@code results}. */
  void interrupted(ResultsDirectory results);
}
