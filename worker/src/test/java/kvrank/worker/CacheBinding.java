package kvrank.worker;

import java.util.ArrayList;
import java.util.Collections;
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

  private static final Map<String, Life> LIVES = new ConcurrentHashMap<>();

  /**
   * The engine's view of a record with a time to live.
   *
   * @param end when it expires, by {@link System#nanoTime}
   * @param reads when each of its reads began
   */
  record Life(int seconds, long end, List<Long> reads) {}

  /** Returns the only record with a time to live in the store of that name. */
  static Life life(String store) {
    List<String> places = LIVES.keySet().stream().filter(key -> key.startsWith(store)).toList();
    if (places.size() != 1) {
      throw new IllegalStateException(places.toString());
    }
    return LIVES.get(places.get(0));
  }

  private boolean has(String property) {
    return getProperties().containsKey(property);
  }

  private String place(byte[] key) {
    return getProperties().getProperty("store") + text(key);
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    Life life = LIVES.get(place(key));
    if (life == null) {
      return super.read(key, value);
    }
    long now = System.nanoTime();
    life.reads().add(now);
    return life.end() < now && has("forgets") ? Status.NOT_FOUND : super.read(key, value);
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
    if (seconds == 0) {
      LIVES.remove(place(key));
    } else {
      long end = System.nanoTime() + 1_000_000_000L * seconds;
      LIVES.put(
          place(key), new Life(seconds, end, Collections.synchronizedList(new ArrayList<>())));
    }
    return super.insert(key, value);
  }
}
