package kvrank.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import kvrank.binding.ByteSource;
import kvrank.binding.KeyValueBinding;
import kvrank.binding.RecordBuffer;
import kvrank.binding.ValueBuffer;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Another binding, of which the JVM is asked at two calls how many bytes the calling thread has
 * allocated: what lies between is the harness's own and the binding's. Says at its end what it
 * found.
 */
public final class AllocationBinding extends KeyValueBinding {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private KeyValueBinding measured;
  private long from;
  private long to;
  private long calls;
  private long before;
  private long after;

  /**
   * Returns the properties for measuring {@code binding} with its own {@code properties}.
   *
   * @param from the first call that counts; well after the last compilation
   * @param to the last call that counts
   */
  static Map<String, String> properties(
      String binding, Map<String, String> properties, long from, long to) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put("measured", binding);
    all.put("from", Long.toString(from));
    all.put("to", Long.toString(to));
    return all;
  }

  @Override
  public void init() throws DBException {
    Properties properties = getProperties();
    from = Long.parseLong(properties.getProperty("from"));
    to = Long.parseLong(properties.getProperty("to"));
    try {
      measured =
          Class.forName(properties.getProperty("measured"))
              .asSubclass(KeyValueBinding.class)
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new DBException(e);
    }
    measured.setProperties(properties);
    measured.init();
  }

  private void count() {
    calls++;
    if (calls == from) {
      before = THREADS.getCurrentThreadAllocatedBytes();
    } else if (calls == to) {
      after = THREADS.getCurrentThreadAllocatedBytes();
    }
  }

  @Override
  public void cleanup() throws DBException {
    System.out.println(
        calls < to
            ? "too few calls: " + calls
            : "bytes per operation: " + (after - before) / (double) (to - from));
    measured.cleanup();
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    count();
    return measured.read(key, value);
  }

  @Override
  public Status scan(byte[] start, int limit, RecordBuffer records) {
    count();
    return measured.scan(start, limit, records);
  }

  @Override
  public Status update(byte[] key, ByteSource value) {
    count();
    return measured.update(key, value);
  }

  @Override
  public Status insert(byte[] key, ByteSource value) {
    count();
    return measured.insert(key, value);
  }

  @Override
  public Status delete(byte[] key) {
    count();
    return measured.delete(key);
  }
}
