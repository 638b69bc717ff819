package kvrank.worker.protocol;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Facts;

/**
 * The result of one phase, without the warm-up.
 *
 * @param elapsedNanos from the first counted operation's start to the last one's end; in an open
 *     loop the planned time, or longer if the engine had not answered by then
 * @param operations the counts of each operation by its label, which begins with the group of
 *     threads if there are any; errors of the warm-up have names of their own
 * @param incorrect the number of wrong values and scans
 */
public record PhaseResult(
    String phase,
    long elapsedNanos,
    SortedMap<String, OperationCount> operations,
    long incorrect,
    Facts facts) {

  public PhaseResult {
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    facts = Facts.copyOf(EngineText.of(facts));
  }

  public PhaseResult with(Facts more) {
    return new PhaseResult(
        phase, elapsedNanos, operations, incorrect, new Facts(facts).putAll(more));
  }
}
