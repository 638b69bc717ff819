package kvrank.benchmarks.binding;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A test engine: a map in memory of which each request takes at least {@code delay-nanos}. It waits
 * busily, as sleeping would be as long as the machine likes. Each process has a speed of its own,
 * with a standard deviation of {@code noise-percent}.
 */
public final class SlowBinding extends DB {

  private static final Map<String, byte[]> RECORDS = new ConcurrentHashMap<>();
  private static final double LUCK = new Random().nextGaussian();

  private long delayNanos;

  @Override
  public void init() {
    Properties properties = getProperties();
    double noise = Double.parseDouble(properties.getProperty("noise-percent", "0")) / 100;
    double delay = Double.parseDouble(properties.getProperty("delay-nanos"));
    delayNanos = Math.round(delay * Math.exp(noise * LUCK));
  }

  private void delay() {
    long end = System.nanoTime() + delayNanos;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    delay();
    byte[] value = RECORDS.get(key);
    if (value == null) {
      return Status.NOT_FOUND;
    }
    result.put("value", new ByteArrayByteIterator(value));
    return Status.OK;
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's API
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return insert(table, key, values);
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    delay();
    RECORDS.put(key, values.values().iterator().next().toArray());
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    delay();
    return RECORDS.remove(key) == null ? Status.NOT_FOUND : Status.OK;
  }
}
