package kvrank.worker.protocol;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Facts;
import kvrank.workload.request.Operation;

/**
 * What one phase did, warm-up excluded.
 *
 * @param phase the phase's name
 * @param elapsedNanos from the first counted operation's start to the last one's end; in an open
 *     loop the time that was planned for them, or longer if the engine had not answered by then
 * @param operations the counts of each operation of the mix; errors of the warm-up are among them,
 *     by a name of their own
 * @param incorrect the number of answers that were wrong: values that do not belong to their key,
 *     scans that returned what they should not; 0 for a sound engine
 * @param facts further findings
 */
public record PhaseResult(
    String phase,
    long elapsedNanos,
    SortedMap<Operation, OperationCount> operations,
    long incorrect,
    Facts facts) {

  public PhaseResult {
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    facts = Facts.copyOf(EngineText.of(facts));
  }

  /** This with more facts. */
  public PhaseResult with(Facts more) {
    return new PhaseResult(
        phase, elapsedNanos, operations, incorrect, new Facts(facts).putAll(more));
  }
}
