package kvrank.workload;

import java.util.stream.LongStream;
import kvrank.workload.random.Permutation;

/**
 * A thread's missing records, in constant memory: in a ring of records, each delete takes the next
 * one, and each insert restores the one that is missing for longest. So deletes hit live records
 * and inserts missing ones.
 *
 * <p>The ring starts with spare records, which are new and missing at first, then has the thread's
 * own records in the order of a permutation.
 */
final class DeletedKeys {

  private final long records;
  private final int thread;
  private final int threads;
  private final long spare;
  private final long size;
  private final Permutation permutation;
  private long deleted;
  private long inserted;

  /**
   * @param spare the number of new records that may exist in addition to the plan's
   */
  DeletedKeys(RequestPlan plan, long spare, int thread, long key) {
    this.records = plan.records();
    this.thread = thread;
    this.threads = plan.threads();
    this.spare = spare;
    this.size = plan.owned(thread) + spare;
    this.permutation = new Permutation(Math.max(1, plan.owned(thread)), key);
    this.deleted = spare;
  }

  /** Returns the number of records that an insert could restore. */
  long missing() {
    return deleted - inserted;
  }

  long spare() {
    return spare;
  }

  /** Returns the number of existing records. */
  long live() {
    return size - missing();
  }

  /** Returns the number of records more than at the start; negative if there are fewer. */
  long surplus() {
    return spare - missing();
  }

  /** Deletes a record; some must be live. */
  long delete() {
    return id(deleted++ % size);
  }

  /** Restores the record that is missing for longest; some must be missing. */
  long insert() {
    return id(inserted++ % size);
  }

  /** Returns the thread's own records that are missing. */
  LongStream deletedNow() {
    return LongStream.range(inserted, deleted)
        .map(turn -> turn % size)
        .filter(place -> place >= spare)
        .map(this::id);
  }

  /** Returns the spare records that exist. */
  LongStream addedNow() {
    long first = inserted;
    long missing = missing();
    return LongStream.range(0, spare)
        .filter(place -> Math.floorMod(place - first, size) >= missing)
        .map(this::id);
  }

  private long id(long place) {
    return place < spare
        ? records + place * threads + thread
        : permutation.of(place - spare) * threads + thread;
  }
}
