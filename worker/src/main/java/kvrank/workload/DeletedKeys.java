package kvrank.workload;

import java.util.stream.LongStream;
import kvrank.workload.random.Permutation;

/**
 * Which of a thread's records are not there, in constant memory: the records stand in a ring, of
 * which the {@code d}-th delete takes the next and the {@code r}-th insert brings back the one that
 * has been missing for longest. So a delete always hits a live record and an insert a missing one.
 *
 * <p>At first in the ring are spare records, which are new and missing at the start, then those
 * that the thread owns, by a permutation.
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
   * @param plan whose records the thread owns its part of
   * @param spare the number of new records that may be there beside those
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

  /** The number of records that an insert could bring back. */
  long missing() {
    return deleted - inserted;
  }

  /** The number of new records that may be there. */
  long spare() {
    return spare;
  }

  /** The number of records that are there. */
  long live() {
    return size - missing();
  }

  /** By how much there are more records than at the start; negative if there are fewer. */
  long surplus() {
    return spare - missing();
  }

  /** Deletes a record; some must be live. */
  long delete() {
    return id(deleted++ % size);
  }

  /** Brings back the record that has been missing for longest; some must be missing. */
  long insert() {
    return id(inserted++ % size);
  }

  /** The owned records that are missing now. */
  LongStream deletedNow() {
    return LongStream.range(inserted, deleted)
        .map(turn -> turn % size)
        .filter(place -> place >= spare)
        .map(this::id);
  }

  /** The spare records that are there now. */
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
