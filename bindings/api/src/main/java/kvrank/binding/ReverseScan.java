package kvrank.binding;

import site.ycsb.Status;

/**
 * Reads records in descending key order. A {@link site.ycsb.DB} implements this if its engine has
 * the capability {@code reverse-scan}: it can walk backwards.
 */
public interface ReverseScan {

  /**
   * Adds the records whose keys are {@code start} or smaller to {@code records}, which is empty, in
   * descending byte order of their keys.
   *
   * @param limit the maximum number of records
   * @return OK or NOT_FOUND if the engine answered, NOT_IMPLEMENTED if it cannot walk backwards
   */
  Status reverseScan(byte[] start, int limit, RecordBuffer records);

  /**
   * Adds the records whose keys start with {@code prefix} to {@code records}, which is empty, in
   * descending byte order of their keys.
   *
   * @param limit the maximum number of records
   * @return as {@link #reverseScan}
   */
  Status reversePrefixScan(byte[] prefix, int limit, RecordBuffer records);
}
