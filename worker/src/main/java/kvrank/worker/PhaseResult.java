package kvrank.worker;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Operation;

/**
 * What one phase did, warm-up excluded.
 *
 * @param phase the phase's name
 * @param elapsedNanos from the first counted operation's start to the last one's end
 * @param operations the counts of each operation of the mix
 * @param incorrect the number of answers that were wrong: values that do not belong to their key,
 *     scans that returned what they should not; 0 for a sound engine
 * @param facts further findings: {@code records} that are there now; {@code incorrect.example}, one
 *     of the wrong answers; {@code sample}, how many records were checked after the load; {@code
 *     rate.missed}, how many requests of an open loop were due and never begun
 */
public record PhaseResult(
    String phase,
    long elapsedNanos,
    SortedMap<Operation, OperationCount> operations,
    long incorrect,
    SortedMap<String, String> facts) {

  public PhaseResult {
    requireNonNull(phase, "phase is null");
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
  }
}
