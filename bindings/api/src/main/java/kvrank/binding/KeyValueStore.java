package kvrank.binding;

import site.ycsb.Status;

/**
 * What {@link site.ycsb.DB} asks of an engine, in bytes: no text, map or copy is made between the
 * draw of a key and the engine's call. A {@link site.ycsb.DB} that implements this is driven by it.
 *
 * <p>Keys, values and buffers are the caller's, who uses them again after the call. No method
 * throws because of the engine: what went wrong is a status.
 */
public interface KeyValueStore {

  /**
   * Reads the value under {@code key} into {@code value}, which is empty.
   *
   * @return OK, or NOT_FOUND if there is no record
   */
  Status read(byte[] key, ValueBuffer value);

  /** Inserts {@code value} under a {@code key} that has none. */
  Status insert(byte[] key, ByteSource value);

  /** Replaces the value under {@code key} by {@code value}. */
  Status update(byte[] key, ByteSource value);

  /**
   * Deletes the record under {@code key}.
   *
   * @return OK, or NOT_FOUND if there was none and the engine looks
   */
  Status delete(byte[] key);

  /**
   * Adds the records from {@code start} on to {@code records}, which is empty, in ascending byte
   * order of their keys.
   *
   * @param limit the most records to add
   * @return OK or NOT_FOUND if the engine answered, NOT_IMPLEMENTED if it has no order
   */
  Status scan(byte[] start, int limit, RecordBuffer records);
}
