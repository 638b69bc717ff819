package kvrank.workload;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.random.CounterRandom.Purpose;
import kvrank.workload.request.Operation;
import kvrank.workload.request.Requests;
import kvrank.workload.value.Value;

/**
 * The writes of one thread in a crash test, a pure function of the constructor's arguments. Each
 * thread inserts its own records once, updates them and deletes some for good, so the state of a
 * record shows which writes are in force.
 */
public final class CrashWrites implements Requests {

  /** The state of a missing record. */
  public static final long ABSENT = -1;

  /** This many records after the newest one are never written, so that strays can be detected. */
  public static final int BEYOND = 16;

  private static final int FIRST_ROOM = 1 << 10;

  private final SortedMap<Operation, Integer> weights;
  private final int thread;
  private final int threads;
  private final long most;
  private final long total;
  private final CounterRandom random;
  private final BitSet deleted = new BitSet();
  // The newest version of each record, deleted ones included.
  private int[] versions = new int[FIRST_ROOM];
  // The existing records, unordered.
  private int[] live = new int[FIRST_ROOM];
  private int living;
  private int records;
  private long index;
  private Operation operation = Operation.INSERT;
  // The records of the current request, all different.
  private int[] changed = new int[1];
  private int size;

  /**
   * Starts before the first write.
   *
   * @param weights of insert, and of update and delete if the engine has them
   * @param capacity the number of keys for all threads
   * @throws IllegalArgumentException if a thread has no record, or for other operations
   */
  public CrashWrites(
      long seed, SortedMap<Operation, Integer> weights, int thread, int threads, long capacity) {
    this.weights = new TreeMap<>(weights);
    if (!weights.containsKey(Operation.INSERT)
        || !Arrays.asList(Operation.INSERT, Operation.UPDATE, Operation.DELETE)
            .containsAll(weights.keySet())) {
      throw new IllegalArgumentException(
          "a crash test inserts, updates and deletes; not " + weights);
    }
    this.thread = thread;
    this.threads = threads;
    this.most = Math.min(Integer.MAX_VALUE / 2, capacity / threads - BEYOND);
    if (most < 1) {
      throw new IllegalArgumentException(
          "%d keys are too few for the crash test of %d threads; use longer keys"
              .formatted(capacity, threads));
    }
    this.total = weights.values().stream().mapToLong(Integer::longValue).sum();
    this.random = new CounterRandom(CounterRandom.key(seed, Purpose.KILL, thread));
  }

  /**
   * Returns false once no write is possible: every record was inserted and deleted.
   *
   * @param wanted the same each time: it determines the requests, too
   */
  @Override
  public boolean next(int wanted) {
    if (records == most && (living == 0 || weights.size() == 1)) {
      return false;
    }
    random.seek(index++);
    operation = possible(draw());
    long possible = operation == Operation.INSERT ? most - records : living;
    size = (int) Math.min(wanted, possible);
    if (size > changed.length) {
      changed = new int[size];
    }
    int place = operation == Operation.INSERT ? 0 : (int) random.nextBelow(living);
    for (int i = 0; i < size; i++) {
      switch (operation) {
        case INSERT -> changed[i] = insert();
        case UPDATE -> {
          changed[i] = live[(place + i) % living];
          versions[changed[i]]++;
        }
        default -> changed[i] = delete(place % living);
      }
    }
    return true;
  }

  /** Moves to the request with the {@code count}-th write, from the start. */
  public void skip(long count, int wanted) {
    long writes = 0;
    while (writes < count && next(wanted)) {
      writes += size;
    }
  }

  private Operation draw() {
    long left = random.nextBelow(total);
    for (Map.Entry<Operation, Integer> weight : weights.entrySet()) {
      left -= weight.getValue();
      if (left < 0) {
        return weight.getKey();
      }
    }
    throw new IllegalStateException("the weights do not add up: " + weights);
  }

  private Operation possible(Operation drawn) {
    if (living == 0) {
      return Operation.INSERT;
    }
    if (drawn != Operation.INSERT || records < most) {
      return drawn;
    }
    return weights.containsKey(Operation.UPDATE) ? Operation.UPDATE : Operation.DELETE;
  }

  private int insert() {
    if (records == versions.length) {
      versions = Arrays.copyOf(versions, 2 * records);
    }
    if (living == live.length) {
      live = Arrays.copyOf(live, 2 * living);
    }
    int record = records++;
    versions[record] = (int) Value.FIRST_VERSION;
    live[living++] = record;
    return record;
  }

  private int delete(int place) {
    int record = live[place];
    live[place] = live[--living];
    deleted.set(record);
    return record;
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long id(int i) {
    return number(changed[i]);
  }

  @Override
  public long version(int i) {
    return versions[changed[i]];
  }

  /** Returns which of the thread's records the current request's {@code i}-th is, from 0. */
  public int record(int i) {
    return changed[i];
  }

  /** Returns the number of records inserted so far. */
  public int records() {
    return records;
  }

  /** Returns the global number of the thread's {@code index}-th record, from 0. */
  public long number(int index) {
    return (long) index * threads + thread;
  }

  /** Returns the version of the thread's {@code index}-th record, or {@link #ABSENT}. */
  public long state(int index) {
    return index >= records || deleted.get(index) ? ABSENT : versions[index];
  }

  /**
   * Returns the newest version that the thread's {@code index}-th record ever had, or {@link
   * #ABSENT}.
   */
  public long newest(int index) {
    return index >= records ? ABSENT : versions[index];
  }
}
