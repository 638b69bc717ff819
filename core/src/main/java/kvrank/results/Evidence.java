package kvrank.results;

import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What stands behind the records: the raw series of each run, and the scenario as it was resolved.
 */
public interface Evidence {

  /**
   * Returns the scenario as it was resolved; empty if it is not there.
   *
   * @throws UnreadableException if it cannot be read
   */
  String scenario() throws UnreadableException;

  /**
   * Adds the latencies of the completed phases of {@code run} to {@code sums}, in nanoseconds by
   * {@code phase/operation}.
   *
   * @throws UnreadableException if the file is broken
   */
  void addLatencies(RunRecord run, Map<String, Histogram> sums) throws UnreadableException;

  /**
   * Returns the operations of {@code run} over time; empty if there are none.
   *
   * @throws UnreadableException if the file is broken
   */
  Timeline timeline(RunRecord run) throws UnreadableException;

  /**
   * Returns the files of the executions that {@code results} consists of, each read when asked for.
   */
  static Evidence of(Results results) {
    return new StoredEvidence(results);
  }
}
