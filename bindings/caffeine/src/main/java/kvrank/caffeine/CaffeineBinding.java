package kvrank.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import kvrank.binding.ByteSource;
import kvrank.binding.EmbeddedBinding;
import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;

/**
 * A cache in this JVM's heap, from which nothing is written anywhere: how fast a hash map can be.
 * With the property {@code most-bytes} it evicts, and what it evicts is lost.
 */
public final class CaffeineBinding extends EmbeddedBinding<CaffeineBinding.Database> {

  record Database(Cache<Key, byte[]> cache) implements AutoCloseable {

    @Override
    public void close() {
      cache.invalidateAll();
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by its bytes
  record Key(byte[] bytes) {

    @Override
    public boolean equals(Object other) {
      return other instanceof Key that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  @Override
  protected Database open(Path directory) throws DBException {
    long most = properties().number("most-bytes", 0, Long.MAX_VALUE);
    var builder = Caffeine.newBuilder();
    return new Database(
        most == 0
            ? builder.build()
            : builder
                .maximumWeight(most)
                .weigher((Key key, byte[] value) -> key.bytes.length + value.length)
                .build());
  }

  @Override
  protected boolean get(byte[] key, ValueBuffer value) {
    return value.wrap(database().cache.getIfPresent(new Key(key)));
  }

  @Override
  protected void putAll(List<byte[]> keys, List<? extends ByteSource> values) {
    for (int i = 0; i < keys.size(); i++) {
      put(keys.get(i), values.get(i));
    }
  }

  @Override
  protected void put(byte[] key, ByteSource value) {
    database().cache.put(new Key(key.clone()), value.toByteArray());
  }

  @Override
  protected boolean removeAll(List<byte[]> keys) {
    boolean found = false;
    for (byte[] key : keys) {
      found |= database().cache.asMap().remove(new Key(key)) != null;
    }
    return found;
  }

  @Override
  protected void addFacts(Map<String, Object> facts) throws Exception {
    facts.put("version", versionOf(Cache.class));
    facts.put("most-bytes", properties().number("most-bytes", 0, Long.MAX_VALUE));
  }

  @Override
  protected void addReports(Map<String, Object> reports) {
    reports.put("records", database().cache.estimatedSize());
  }
}
