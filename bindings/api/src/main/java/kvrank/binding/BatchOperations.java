package kvrank.binding;

import java.util.List;
import site.ycsb.Status;

/** Several records in one request, for a {@link site.ycsb.DB} whose engine can do that. */
public interface BatchOperations {

  /**
   * Inserts or replaces {@code values.get(i)} under {@code keys.get(i)} for every {@code i}.
   *
   * @return OK only if the engine acknowledged every record
   */
  Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values);

  /**
   * Reads every key; the value of {@code keys.get(i)} goes to {@code values.get(i)}, which is empty
   * and stays so if there is no record.
   *
   * @return OK if the engine answered, NOT_FOUND if it answered and none of the keys was there
   */
  Status batchRead(List<byte[]> keys, List<ValueBuffer> values);

  /**
   * Deletes every key.
   *
   * @return OK if the engine acknowledged the request, whether or not each key was there
   */
  Status batchDelete(List<byte[]> keys);
}
