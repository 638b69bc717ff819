package kvrank.binding.embedded;

import java.util.List;
import kvrank.binding.ByteSource;

/**
 * An engine in this JVM whose writes are transactions; a batch is one.
 *
 * @param <D> the database, used by all threads at once
 * @param <T> a transaction that writes
 */
public abstract class TransactionBinding<D extends AutoCloseable, T> extends EmbeddedBinding<D> {

  /**
   * What is done in a transaction, several times over if the engine has to begin again.
   *
   * @param <T> the transaction
   */
  protected interface Writes<T> {

    /** Writes; returns whether there was anything to be replaced or deleted. */
    boolean in(T transaction);
  }

  /** Does {@code writes} in a transaction and commits it; returns what they return. */
  protected abstract boolean write(Writes<T> writes);

  /** Inserts or replaces the value under {@code key}. */
  protected abstract void put(T transaction, byte[] key, ByteSource value);

  /** Deletes the record under {@code key}; returns whether there was one. */
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
