package kvrank.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import kvrank.binding.ByteSource;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/**
 * A store of which the property {@code loses} says that it takes no single insert of every other
 * key, and {@code forgets} that it knows times to live.
 */
public final class CacheBinding extends MemoryBinding {

  private static final Map<String, Long> ENDS = new ConcurrentHashMap<>();

  private boolean has(String property) {
    return getProperties().containsKey(property);
  }

  private String place(byte[] key) {
    return getProperties().getProperty("store") + text(key);
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    boolean over = ENDS.getOrDefault(place(key), Long.MAX_VALUE) < System.nanoTime();
    return over && has("forgets") ? Status.NOT_FOUND : super.read(key, value);
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    return has("loses") && key[key.length - 1] % 2 == 0 ? Status.OK : update(key, value);
  }

  @Override
  public Status batchInsert(List<byte[]> keys, List<? extends ByteSource> values) {
    for (int i = 0; i < keys.size(); i++) {
      update(keys.get(i), values.get(i));
    }
    return Status.OK;
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    int seconds = value.ttlSeconds();
    ENDS.put(
        place(key), seconds == 0 ? Long.MAX_VALUE : System.nanoTime() + 1_000_000_000L * seconds);
    return super.insert(key, value);
  }
}
