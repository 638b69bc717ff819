package kvrank.binding;

import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Several records in one request, for a {@link site.ycsb.DB} whose engine can do that. */
public interface BatchOperations {

  /**
   * Inserts or replaces {@code values.get(i)} under {@code keys.get(i)} for every {@code i}.
   *
   * @return OK only if the engine acknowledged every record
   */
  Status batchInsert(String table, List<String> keys, List<Map<String, ByteIterator>> values);

  /**
   * Reads every key and adds, for each key that was found, one entry to {@code results} under that
   * key.
   *
   * @param fields the fields to read, or null for all of them
   * @return OK if the engine answered, NOT_FOUND if it answered and none of the keys was there
   */
  Status batchRead(
      String table,
      List<String> keys,
      Set<String> fields,
      Map<String, Map<String, ByteIterator>> results);

  /**
   * Deletes every key.
   *
   * @return OK if the engine acknowledged the request, whether or not each key was there
   */
  Status batchDelete(String table, List<String> keys);
}
