package kvrank.worker.call;

/** The records that exist during a phase that loses none. */
public final class Population {

  private final long records;
  private final boolean grows;
  private volatile boolean refused;

  /**
   * @param records the number at the start of the phase
   * @param grows whether the phase inserts others
   */
  public Population(long records, boolean grows) {
    this.records = records;
    this.grows = grows;
  }

  public long records() {
    return records;
  }

  public boolean grows() {
    return grows;
  }

  /** Records that an insert failed: from now on, any new record may be missing. */
  public void insertFailed() {
    refused = true;
  }

  /** Returns whether record {@code id} exists, which its own thread asked for. */
  boolean has(long id) {
    return id < records || !refused;
  }
}
