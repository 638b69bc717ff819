package kvrank.caffeine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import kvrank.binding.embedded.EmbeddedBinding;
import site.ycsb.DBException;

/**
 * A cache in this JVM's heap, from which nothing is written anywhere: how fast a hash map can be.
 * With the property {@code most-bytes} it evicts, and what it evicts is lost. Records have times to
 * live if the property {@code ttl} is true, which costs a timer for each.
 */
public final class CaffeineBinding extends EmbeddedBinding<CaffeineBinding.Database> {

  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

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
    @SuppressWarnings("unchecked") // as its own methods narrow it
    Caffeine<Key, byte[]> builder = (Caffeine<Key, byte[]>) (Caffeine<?, ?>) Caffeine.newBuilder();
    if (most > 0) {
      builder.maximumWeight(most).weigher((key, value) -> key.bytes.length + value.length);
    }
    if (properties().flag("ttl")) {
      builder.expireAfter(Expiry.writing((key, value) -> FOREVER));
    }
    return new Database(builder.build());
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
    Key own = new Key(key.clone());
    int seconds = value.ttlSeconds();
    if (seconds > 0) {
      var expiring = database().cache.policy().expireVariably().orElseThrow();
      var unused = expiring.put(own, value.toByteArray(), Duration.ofSeconds(seconds));
    } else {
      database().cache.put(own, value.toByteArray());
    }
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
