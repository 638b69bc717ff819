package kvrank.workload.request;

/**
 * The requests of one thread in one phase. A cursor: the methods after {@link #next} describe the
 * current request. The sequence is a pure function of the constructor's arguments; answers of the
 * engine change only the fills of misses in between.
 */
public interface Requests {

  /**
   * Moves to the next request, and assumes that it is executed.
   *
   * @param most the largest number of records in the request, at least 1
   * @return false if there is no further request
   */
  boolean next(int most);

  Operation operation();

  /** Returns the number of records in the request, at least 1. */
  int size();

  /** Returns the number of the {@code i}-th record of the request. */
  long id(int i);

  /** Returns the version of the {@code i}-th record's value if the request writes. */
  long version(int i);

  /** Returns the length of the {@code i}-th value in bytes; negative if its version decides. */
  default int bytes(int i) {
    return -1;
  }

  /**
   * Returns the {@code i}-th value's seconds to live, 0 for no limit; negative if its version
   * decides.
   */
  default int ttlSeconds(int i) {
    return -1;
  }

  /** Returns the number of records that a range scan reads. */
  default int scanRecords() {
    throw new IllegalStateException("the request is not a range scan");
  }

  /** Returns whether the request compensates for deletes or fills a miss, and was not drawn. */
  default boolean compensating() {
    return false;
  }

  /** Called if a read did not find record {@code id}. */
  default void missed(long id) {}
}
