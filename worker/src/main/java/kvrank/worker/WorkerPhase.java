package kvrank.worker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.Arrivals;
import kvrank.workload.KeyChoice;
import kvrank.workload.Operation;

/**
 * One measured stretch of a run, with everything resolved.
 *
 * @param name the phase's name, unique in its run
 * @param kind the load, or a mix of operations over the records that were loaded
 * @param operations the weight of each operation
 * @param keys which record an operation is for; for the load, the order of the inserts
 * @param threads the number of client threads, each with a binding of its own
 * @param batch the number of records in a request; 1 for none
 * @param pipeline the number of requests in flight per thread; 1 for none
 * @param rate records per second of all threads together, or 0 for as fast as it goes
 * @param arrivals how the requests of a rate are spread over time; without one it does not apply
 * @param warmup how long operations are applied before they count; a drain has no warm-up
 * @param duration how long operations count, if {@code count} is 0; a drain may end earlier and, if
 *     this is zero, ends only when nothing is left to delete
 * @param count the number of records of all threads together that count, or 0; inserts that make up
 *     for deletes are counted as inserts but not against this
 * @param scanRecords the number of records that a range scan reads
 * @param drain whether deletes may empty the store
 */
public record WorkerPhase(
    String name,
    Kind kind,
    SortedMap<Operation, Integer> operations,
    KeyChoice keys,
    int threads,
    int batch,
    int pipeline,
    double rate,
    Arrivals arrivals,
    Duration warmup,
    Duration duration,
    long count,
    int scanRecords,
    boolean drain) {

  public WorkerPhase {
    requireNonNull(name, "name is null");
    requireNonNull(kind, "kind is null");
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    requireNonNull(keys, "keys is null");
    requireNonNull(arrivals, "arrivals is null");
    requireNonNull(warmup, "warmup is null");
    requireNonNull(duration, "duration is null");
  }

  /** What a phase does. */
  public enum Kind {
    /** Inserts every record once; warm-up, duration and count do not apply. */
    LOAD,
    /** Applies the mix. */
    MIX
  }
}
