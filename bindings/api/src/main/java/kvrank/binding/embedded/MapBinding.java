package kvrank.binding.embedded;

import java.util.List;
import java.util.Map;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;

/**
 * A binding to an engine in this JVM whose records are a {@link Map}.
 *
 * @param <D> the database, which all threads use concurrently
 */
public abstract class MapBinding<D extends AutoCloseable> extends EmbeddedBinding<D> {

  /** Returns the records: values by key. */
  protected abstract Map<byte[], byte[]> records();

  /** Called after each write or batch of writes. */
  protected void commit() {}

  /** Returns the array to store for {@code key}: a copy, unless the map makes one itself. */
  protected byte[] stored(byte[] key) {
    return key.clone();
  }

  @Override
  protected final boolean get(byte[] key, ValueBuffer value) {
    return value.wrap(records().get(key));
  }

  @Override
  protected final void put(byte[] key, ByteSource value) {
    records().put(stored(key), value.toByteArray());
    commit();
  }

  @Override
  protected final void putAll(List<byte[]> keys, List<? extends ByteSource> values) {
    for (int i = 0; i < keys.size(); i++) {
      records().put(stored(keys.get(i)), values.get(i).toByteArray());
    }
    commit();
  }

  @Override
  protected final boolean removeAll(List<byte[]> keys) {
    boolean found = false;
    for (byte[] key : keys) {
      found |= records().remove(key) != null;
    }
    commit();
    return found;
  }
}
