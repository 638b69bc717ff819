package kvrank.binding.embedded;

import java.util.List;
import kvrank.binding.ByteSource;

/**
 * A binding to an engine in this JVM whose writes are transactions. A batch is one transaction.
 *
 * @param <D> the database, which all threads use concurrently
 * @param <T> a write transaction
 */
public abstract class TransactionBinding<D extends AutoCloseable, T> extends EmbeddedBinding<D> {

  /**
   * The writes of one transaction, which may run more than once if the engine retries.
   *
   * @param <T> a write transaction
   */
  protected interface Writes<T> {

    /** Makes the writes; returns false if all were deletions of records that do not exist. */
    boolean apply(T transaction);
  }

  /** Applies {@code writes} in a transaction and commits it; returns their result. */
  protected abstract boolean write(Writes<T> writes);

  /** Inserts or replaces the value of {@code key}. */
  protected abstract void put(T transaction, byte[] key, ByteSource value);

  /** Deletes the record of {@code key}; returns whether there was one. */
  protected abstract boolean remove(T transaction, byte[] key);

  @Override
  protected final void putAll(List<byte[]> keys, List<? extends ByteSource> values) {
    write(
        transaction -> {
          for (int i = 0; i < keys.size(); i++) {
            put(transaction, keys.get(i), values.get(i));
          }
          return true;
        });
  }

  @Override
  protected final boolean removeAll(List<byte[]> keys) {
    return write(
        transaction -> {
          boolean found = false;
          for (byte[] key : keys) {
            found |= remove(transaction, key);
          }
          return found;
        });
  }
}
