package kvrank.worker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Arrivals;
import kvrank.workload.HostedWorkload;
import kvrank.workload.KeyChoice;
import kvrank.workload.Operation;

/**
 * One measured stretch of a run, with everything resolved.
 *
 * @param name the phase's name, unique in its run
 * @param kind the load, a mix of operations over the records that were loaded, or a half of a kill
 *     test
 * @param operations the weight of each operation
 * @param keys which record an operation is for; for the load, the order of the inserts
 * @param threads the number of client threads
 * @param connections the number of clients that a thread drives at once, each with a binding of its
 *     own; 1 for none but itself
 * @param batch the number of records in a request; 1 for none
 * @param pipeline the number of requests in flight per client; 1 for none
 * @param rate records per second of all threads together, or 0 for as fast as it goes
 * @param arrivals how the requests of a rate are spread over time; without one it does not apply
 * @param warmup how long operations are applied before they count; a drain has no warm-up
 * @param duration how long operations count, if {@code count} is 0; a drain may end earlier and, if
 *     this is zero, ends only when nothing is left to delete
 * @param count the number of records of all threads together that count, or 0; inserts that make up
 *     for deletes are counted as inserts but not against this
 * @param scanRecords the number of records that a range scan reads
 * @param drain whether deletes may empty the store
 * @param hosted the workload of YCSB that is applied instead of a mix, or instead of the load; its
 *     keys, values and choices are its own, {@code operations} and {@code keys} do not apply
 */
public record WorkerPhase(
    String name,
    Kind kind,
    SortedMap<Operation, Integer> operations,
    KeyChoice keys,
    int threads,
    int connections,
    int batch,
    int pipeline,
    double rate,
    Arrivals arrivals,
    Duration warmup,
    Duration duration,
    long count,
    int scanRecords,
    boolean drain,
    Optional<HostedWorkload> hosted) {

  public WorkerPhase {
    requireNonNull(name, "name is null");
    requireNonNull(kind, "kind is null");
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    requireNonNull(keys, "keys is null");
    requireNonNull(arrivals, "arrivals is null");
    requireNonNull(warmup, "warmup is null");
    requireNonNull(duration, "duration is null");
    requireNonNull(hosted, "hosted is null");
  }

  /**
   * This phase at another rate, as a step of a sweep. Its name is {@code NAME@RATE}, so that each
   * step has operations and files of its own.
   *
   * @param stepRate operations per second of all threads together, or 0 for as fast as it goes
   */
  public WorkerPhase at(double stepRate) {
    return new WorkerPhase(
        stepName(name, stepRate),
        kind,
        operations,
        keys,
        threads,
        connections,
        batch,
        pipeline,
        stepRate,
        arrivals,
        warmup,
        duration,
        count,
        scanRecords,
        drain,
        hosted);
  }

  /** The number of clients, all threads together. */
  public int clients() {
    return threads * connections;
  }

  /** The name of the step of {@code phase} at {@code rate}; {@code @max} for 0. */
  public static String stepName(String phase, double rate) {
    return phase + "@" + (rate == 0 ? "max" : Long.toString(Math.round(rate)));
  }

  /** What a phase does. */
  public enum Kind {
    /** Inserts every record once; warm-up, duration and count do not apply. */
    LOAD,
    /** Applies the mix. */
    MIX,
    /**
     * Applies the writes of a kill test as fast as it goes, until the engine is gone; its
     * operations are the writes' weights, and warm-up, duration, count and rate do not apply.
     */
    KILL_WRITES,
    /** Reads what a kill left of the writes that the ledger says were acknowledged. */
    KILL_CHECK;

    /** Whether it is a half of a kill test. */
    boolean ofKillTest() {
      return this == KILL_WRITES || this == KILL_CHECK;
    }
  }
}
