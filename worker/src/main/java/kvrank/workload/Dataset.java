package kvrank.workload;

/**
 * The records that the load inserts.
 *
 * @param records how many there are
 * @param keys what keys look like
 * @param values what values look like
 * @param evicts whether the engine may give some of them up to make room
 */
public record Dataset(long records, KeyShape keys, ValueShape values, boolean evicts) {

  /** Returns whether a record that was written is there until it is deleted. */
  public boolean stays() {
    return !evicts && values.ttl().share() == 0;
  }
}
