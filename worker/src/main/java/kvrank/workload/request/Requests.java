package kvrank.workload.request;

/**
 * The requests of one thread in one phase, one after the other. A cursor: the methods below {@link
 * #next} tell about the request that it moved to.
 *
 * <p>The sequence is a pure function of what it was made from; in particular no answer of an engine
 * changes it, but that where a mix asks for it misses are filled in between. How far it is followed
 * is up to time and count.
 */
public interface Requests {

  /**
   * Moves to the next request. What it asks for is taken to be done.
   *
   * @param most the most records that the request may be for, at least 1
   * @return false if there is no further request
   */
  boolean next(int most);

  /** What is asked. */
  Operation operation();

  /** The number of records that the request is for, at least 1. */
  int size();

  /** The number of the {@code i}-th record of the request. */
  long id(int i);

  /** The version of the {@code i}-th record's value, if the request writes. */
  long version(int i);

  /** The length of the {@code i}-th record's value in bytes; negative if its version decides. */
  default int bytes(int i) {
    return -1;
  }

  /**
   * For how many seconds the {@code i}-th record's value lives, 0 for ever; negative if its version
   * decides.
   */
  default int ttlSeconds(int i) {
    return -1;
  }

  /**
   * Whether the request is no draw from the mix but makes up for deletes, to hold the population
   * steady, or fills what was missed.
   */
  default boolean compensating() {
    return false;
  }

  /** Is told that a read of record {@code id} found nothing. */
  default void missed(long id) {}
}
