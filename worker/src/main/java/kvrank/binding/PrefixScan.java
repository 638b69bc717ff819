package kvrank.binding;

import java.util.HashMap;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * Reading the records under one key prefix and nothing else, for a {@link site.ycsb.DB} whose
 * engine need not walk its whole keyspace for that.
 */
public interface PrefixScan {

  /**
   * Adds the records whose keys start with {@code prefix} to {@code result}, in ascending byte
   * order of their keys.
   *
   * @param limit the most records to add
   * @param fields the fields to read, or null for all of them
   * @return OK if at least one record was found, NOT_FOUND if none was
   */
  Status prefixScan(
      String table,
      String prefix,
      int limit,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result);
}
