package kvrank.binding;

import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Reading the records under one key prefix and nothing else, for a {@link site.ycsb.DB} whose
 * engine need not walk its whole keyspace for that.
 */
public interface PrefixScan {

  /**
   * Adds the records whose keys start with {@code prefix} to {@code results} by their keys, in
   * ascending byte order of the keys.
   *
   * @param limit the most records to add
   * @param fields the fields to read, or null for all of them
   * @param results empty, and iterated in the order of insertion
   * @return OK if at least one record was found, NOT_FOUND if none was
   */
  Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results);
}
