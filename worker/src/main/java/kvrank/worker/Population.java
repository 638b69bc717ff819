package kvrank.worker;

/**
 * The records in the engine between two phases: those numbered [0, records), without some.
 *
 * @param missing how many of them a drain removed
 */
record Population(long records, long missing) {

  /** The number of records that are there. */
  long live() {
    return Math.max(0, records - missing);
  }
}
