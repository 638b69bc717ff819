package kvrank.binding;

import site.ycsb.Status;

/**
 * Reads the records under one key prefix. A {@link site.ycsb.DB} implements this if its engine has
 * the capability {@code prefix-scan}: it finds them without a walk through all keys.
 */
public interface PrefixScan {

  /**
   * Adds the records whose keys start with {@code prefix} to {@code records}, which is empty, in
   * ascending byte order of their keys.
   *
   * @param limit the maximum number of records
   * @return OK, or NOT_FOUND if there are none
   */
  Status prefixScan(byte[] prefix, int limit, RecordBuffer records);
}
