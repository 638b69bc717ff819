package kvrank.binding;

import site.ycsb.Status;

/**
 * The operations of {@link site.ycsb.DB} in bytes. If a {@link site.ycsb.DB} implements this,
 * kvrank calls these methods instead, which need no text, map or copy per request.
 *
 * <p>Keys, values and buffers belong to the caller, which reuses them after the call. A failure of
 * the engine is a status, never an exception.
 */
public interface KeyValueStore {

  /**
   * Reads the value of {@code key} into {@code value}, which is empty.
   *
   * @return OK, or NOT_FOUND if there is no record
   */
  Status read(byte[] key, ValueBuffer value);

  /** Inserts a record whose {@code key} does not exist yet. */
  Status insert(byte[] key, ByteSource value);

  /** Replaces the value of {@code key}. */
  Status update(byte[] key, ByteSource value);

  /**
   * Deletes the record of {@code key}.
   *
   * @return OK, or NOT_FOUND if the engine reports that there was none
   */
  Status delete(byte[] key);

  /**
   * Adds the records whose keys are {@code start} or greater to {@code records}, which is empty, in
   * ascending byte order of their keys.
   *
   * @param limit the maximum number of records
   * @return OK or NOT_FOUND if the engine answered, NOT_IMPLEMENTED if it has no ordered keys
   */
  Status scan(byte[] start, int limit, RecordBuffer records);
}
