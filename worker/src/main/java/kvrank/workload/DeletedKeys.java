package kvrank.workload;

/**
 * Which of a thread's records are deleted, in constant memory: the thread's {@code d}-th delete
 * takes record {@code perm(d)} of those it owns and its {@code r}-th re-insert brings {@code
 * perm(r)} back, so a delete always hits a live record, and the dead ones are {@code perm(r)} to
 * {@code perm(d - 1)}.
 */
final class DeletedKeys {

  private final int thread;
  private final int threads;
  private final long owned;
  private final Permutation permutation;
  private long deleted;
  private long restored;

  /**
   * @param owned the number of records that the thread owns: {@code thread}, {@code thread +
   *     threads} and so on
   */
  DeletedKeys(long owned, int thread, int threads, long key) {
    this.thread = thread;
    this.threads = threads;
    this.owned = owned;
    this.permutation = new Permutation(Math.max(1, owned), key);
  }

  /** The number of owned records. */
  long owned() {
    return owned;
  }

  /** The number of owned records that are deleted. */
  long dead() {
    return deleted - restored;
  }

  /** The number of owned records that are not deleted. */
  long live() {
    return owned - dead();
  }

  /** Deletes a record; some must be live. */
  long delete() {
    return id(deleted++);
  }

  /** Brings back the record that has been dead for longest; some must be dead. */
  long restore() {
    return id(restored++);
  }

  private long id(long turn) {
    return permutation.of(turn % owned) * threads + thread;
  }
}
