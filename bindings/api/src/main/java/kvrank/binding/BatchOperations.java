package kvrank.binding;

import java.util.List;
import site.ycsb.Status;

/**
 * Several records in one request. A {@link site.ycsb.DB} implements this if its engine has the
 * capability {@code batch}.
 */
public interface BatchOperations {

  /**
   * Inserts or replaces {@code values.get(i)} under {@code keys.get(i)} for every {@code i}.
   *
   * @return OK only if the engine acknowledged every record
   */
  Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values);

  /**
   * Replaces {@code values.get(i)} under {@code keys.get(i)}, which was inserted before, for every
   * {@code i}; by default as an insert.
   *
   * @return OK only if the engine acknowledged every record
   */
  default Status batchUpdate(List<byte[]> keys, List<? extends ByteSource> values) {
    return batchInsert(keys, values);
  }

  /**
   * Reads every key. The value of {@code keys.get(i)} goes to {@code values.get(i)}, which is empty
   * before the call and stays empty if there is no record.
   *
   * @return OK if the engine answered, NOT_FOUND if it answered that it has none of the keys
   */
  Status batchRead(List<byte[]> keys, List<ValueBuffer> values);

  /**
   * Deletes every key.
   *
   * @return OK if the engine acknowledged the request, whether or not the keys existed
   */
  Status batchDelete(List<byte[]> keys);
}
