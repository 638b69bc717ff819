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
 * The writes of one thread in a crash test, one after the other, and what they make of its records.
 * Every thread writes records of its own: it inserts each once, updates those that are there and
 * deletes some for good. So what is found of a record tells which of its writes are in force.
 *
 * <p>The sequence is a pure function of what it was made from: who knows how many writes were
 * acknowledged can say what has to be there.
 */
public final class CrashWrites implements Requests {

  /** The state of a record that is not there. */
  public static final long ABSENT = -1;

  /** How many records after the newest one no write reaches: whoever finds one has a stray. */
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
  // The records that are there, in no order.
  private int[] live = new int[FIRST_ROOM];
  private int living;
  private int records;
  private long index;
  private Operation operation = Operation.INSERT;
  private int record;

  /**
   * Begins before the first write.
   *
   * @param weights how often each of insert, update and delete is drawn
   * @param threads how many threads there are; {@code thread} is one of them, from 0
   * @param capacity how many records all threads together can have keys for
   * @throws IllegalArgumentException if that leaves a thread without a record, or if something else
   *     than writes is asked
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

  /** False once every record was inserted and deleted. */
  @Override
  public boolean next(int wanted) {
    if (living == 0 && records == most) {
      return false;
    }
    random.seek(index++);
    operation = possible(draw());
    switch (operation) {
      case INSERT -> insert();
      case UPDATE -> {
        record = live[(int) random.nextBelow(living)];
        versions[record]++;
      }
      default -> delete((int) random.nextBelow(living));
    }
    return true;
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
    return drawn == Operation.INSERT && records == most ? Operation.UPDATE : drawn;
  }

  private void insert() {
    if (records == versions.length) {
      versions = Arrays.copyOf(versions, 2 * records);
    }
    if (living == live.length) {
      live = Arrays.copyOf(live, 2 * living);
    }
    record = records++;
    versions[record] = (int) Value.FIRST_VERSION;
    live[living++] = record;
  }

  private void delete(int place) {
    record = live[place];
    live[place] = live[--living];
    deleted.set(record);
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public int size() {
    return 1;
  }

  @Override
  public long id(int i) {
    return number(record);
  }

  @Override
  public long version(int i) {
    return versions[record];
  }

  /** How many records were inserted so far. */
  public int records() {
    return records;
  }

  /** The number of the thread's {@code index}-th record, from 0, among those of all threads. */
  public long number(int index) {
    return (long) index * threads + thread;
  }

  /** The version of the thread's {@code index}-th record, or {@link #ABSENT}. */
  public long state(int index) {
    return index >= records || deleted.get(index) ? ABSENT : versions[index];
  }

  /** The newest version that the thread's {@code index}-th record ever had, or {@link #ABSENT}. */
  public long newest(int index) {
    return index >= records ? ABSENT : versions[index];
  }
}
