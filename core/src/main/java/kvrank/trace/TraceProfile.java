package kvrank.trace;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.capture.Accesses;
import kvrank.capture.Skew;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * The properties of a trace's or a workload's requests.
 *
 * @param operations the number of requests of each operation
 * @param made the number of keys whose first request is a write
 * @param once the share of the keys that are requested once
 * @param sizes the lengths of the written or loaded values
 * @param caches simulated caches after these requests
 * @param skew the popularity of keys; empty if there are too few requests
 */
record TraceProfile(
    SortedMap<Operation, Long> operations,
    long made,
    double once,
    SizeSample sizes,
    LruCaches caches,
    Optional<Skew> skew) {

  /** Requests in each of the windows from which popularity is estimated. */
  private static final int WINDOW = 6_000;

  private static final int WINDOWS = 24;

  /** The times of requests. */
  interface Clock {
    /**
     * Returns the time of the current request, which follows {@code done} others, in microseconds.
     */
    double micros(long done);
  }

  /**
   * Returns the profile of {@code most} requests, after inserts of the records that existed before,
   * both of which go through {@code caches}, too.
   */
  static TraceProfile of(
      Requests loads,
      Requests requests,
      Value value,
      int keyBytes,
      long most,
      Clock clock,
      LruCaches caches) {
    SizeSample sizes = new SizeSample();
    BitSet seen = new BitSet();
    while (loads.next(1)) {
      value.set(loads, 0);
      sizes.add(value.size());
      caches.write(Math.toIntExact(loads.id(0)), keyBytes + value.size(), value.ttlSeconds());
      seen.set(Math.toIntExact(loads.id(0)));
    }
    int there = seen.cardinality();
    Accesses accesses = new Accesses();
    SortedMap<Operation, Long> operations = new TreeMap<>();
    int[] asked = new int[1 << 10];
    long stride = Math.max(WINDOW, most / WINDOWS);
    long made = 0;
    long done = 0;
    for (; done < most && requests.next(1); done++) {
      int id = Math.toIntExact(requests.id(0));
      Operation operation = requests.operation();
      operations.merge(operation, 1L, Long::sum);
      caches.at(clock.micros(done));
      if (id >= asked.length) {
        asked = Arrays.copyOf(asked, 2 * id);
      }
      asked[id]++;
      if (operation.storesValue()) {
        value.set(requests, 0);
        sizes.add(value.size());
        made += seen.get(id) ? 0 : 1;
        seen.set(id);
        caches.write(id, keyBytes + value.size(), value.ttlSeconds());
      } else if (operation == Operation.DELETE) {
        caches.delete(id);
      } else {
        caches.read(id);
      }
      if (done % stride == 0) {
        accesses.endWindow();
      }
      if (done % stride < WINDOW) {
        accesses.add(id, operation != Operation.READ);
      }
    }
    accesses.endWindow();
    long keys = Arrays.stream(asked).filter(count -> count > 0).count();
    long once = Arrays.stream(asked).filter(count -> count == 1).count();
    return new TraceProfile(
        operations,
        made,
        (double) once / Math.max(1, keys),
        sizes,
        caches,
        Skew.ofAtLeast(accesses, Math.max(keys, there), made > 0));
  }

  /** Returns an operation's share of the requests. */
  double share(Operation operation) {
    double all = operations.values().stream().mapToLong(Long::longValue).sum();
    return operations.getOrDefault(operation, 0L) / all;
  }
}
