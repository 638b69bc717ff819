package kvrank.binding.embedded;

import java.util.List;
import java.util.Map;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;

/**
 * An engine in this JVM whose records are a {@link Map}.
 *
 * @param <D> the database, used by all threads at once
 */
public abstract class MapBinding<D extends AutoCloseable> extends EmbeddedBinding<D> {

  /** Returns the values by their keys. */
  protected abstract Map<byte[], byte[]> records();

  /** Ends a write, for an engine that has to be told. */
  protected void commit() {}

  /** Returns what the map may keep of {@code key}, which the caller will use again: a copy. */
  protected byte[] kept(byte[] key) {
    return key.clone();
  }

  @Override
  protected final boolean get(byte[] key, ValueBuffer value) {
    return value.wrap(records().get(key));
  }

  @Override
  protected final void put(byte[] key, ByteSource value) {
    records().put(kept(key), value.toByteArray());
    commit();
  }

  @Override
  protected final void putAll(List<byte[]> keys, List<? extends ByteSource> values) {
    for (int i = 0; i < keys.size(); i++) {
      records().put(kept(keys.get(i)), values.get(i).toByteArray());
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
