package kvrank.worker;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Operation;

/**
 * What one phase did, warm-up excluded.
 *
 * <p>Its facts, each there if there is something to say:
 *
 * <ul>
 *   <li>{@code records}: how many are there now
 *   <li>{@code warmup.nanos}: how long the warm-up was
 *   <li>{@code compensation.records}: how many records were inserted beside what was asked for, to
 *       make up for deletes
 *   <li>{@code reads.hits}, {@code reads.misses}: how many records reads found and did not find,
 *       where an engine may give them up or forget them, or misses are filled
 *   <li>{@code stale.reads}: how many records were found over a second after the end of their time
 *       to live, of the last million that were written with one
 *   <li>{@code hits.level}: {@code yes} or {@code no}: whether the hit ratio was level when the
 *       warm-up ended; see {@link PhaseStages}
 *   <li>{@code sample}: how many records were read back after the load
 *   <li>{@code errors.said}: what the binding said of its errors most often, warm-up included
 *   <li>{@code incorrect.example}: one of the wrong answers, or what a look after the phase found
 *   <li>{@code rate.asked}, {@code rate.achieved}: records per second of an open loop; {@code
 *       rate.unsent}: how many requests had an intended start before the end and never began; their
 *       latency is the time that they waited
 *   <li>{@code steady}: {@code yes}, {@code no} or {@code unknown}, and {@code drift}: the last
 *       third's throughput over the first's; see {@link SteadyState}
 *   <li>{@code client.cpuSeconds}: processor time of this JVM, an embedded engine included
 *   <li>{@code gc.count}, {@code gc.pauseMillis}: this JVM's garbage collections
 *   <li>{@code client.heapBytes}, {@code client.heapCommittedBytes}: this JVM's heap in use and had
 *       from the system at the end, garbage included
 *   <li>{@code engine.…}: what an embedded engine says of its work
 *   <li>{@code hiccup.p99Nanos}, {@code hiccup.maxNanos}: by how much a thread that only sleeps
 *       overslept; see {@link HiccupMonitor}
 * </ul>
 *
 * @param phase the phase's name
 * @param elapsedNanos from the first counted operation's start to the last one's end; in an open
 *     loop the time that was planned for them, or longer if the engine had not answered by then
 * @param operations the counts of each operation of the mix; errors of the warm-up are among them,
 *     by a name of their own
 * @param incorrect the number of answers that were wrong: values that do not belong to their key,
 *     scans that returned what they should not; 0 for a sound engine
 * @param facts further findings, see below
 */
public record PhaseResult(
    String phase,
    long elapsedNanos,
    SortedMap<Operation, OperationCount> operations,
    long incorrect,
    SortedMap<String, String> facts) {

  /** Of one of several machines: when requests began to count by agreement, by its own clock. */
  public static final String AGREED = "generator.agreedNanos";

  /** When the first of them did. */
  public static final String BEGAN = "generator.beganNanos";

  /** How many clients it has. */
  public static final String CLIENTS = "generator.clients";

  /** With how many records the phase began. */
  public static final String PLANNED = "generator.plannedRecords";

  /** Whether a time ended the phase. */
  public static final String TIMED = "generator.timed";

  public PhaseResult {
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    facts = Collections.unmodifiableSortedMap(EngineText.of(facts));
  }

  /** This with more facts. */
  PhaseResult with(SortedMap<String, String> more) {
    SortedMap<String, String> merged = new TreeMap<>(facts);
    merged.putAll(more);
    return new PhaseResult(phase, elapsedNanos, operations, incorrect, merged);
  }
}
