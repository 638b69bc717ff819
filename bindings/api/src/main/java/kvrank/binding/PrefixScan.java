package kvrank.binding;

import site.ycsb.Status;

/**
 * Reading the records under one key prefix and nothing else, for a {@link site.ycsb.DB} whose
 * engine need not walk its whole keyspace for that.
 */
public interface PrefixScan {

  /**
   * Adds the records whose keys start with {@code prefix} to {@code records}, which is empty, in
   * ascending byte order of the keys.
   *
   * @param limit the most records to add
   * @return OK if at least one record was found, NOT_FOUND if none was
   */
  Status prefixScan(byte[] prefix, int limit, RecordBuffer records);
}
