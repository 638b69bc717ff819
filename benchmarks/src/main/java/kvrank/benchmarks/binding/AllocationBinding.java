package kvrank.benchmarks.binding;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * Another binding, of which the JVM is asked at two calls how many bytes the calling thread has
 * allocated: what lies between is the harness's own and the binding's. Says at its end what it
 * found.
 */
public final class AllocationBinding extends ForwardingBinding {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final String FROM = OWN + "from";
  private static final String TO = OWN + "to";

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
  public static Map<String, String> properties(
      String binding, Map<String, String> properties, long from, long to) {
    Map<String, String> all = properties(binding, properties);
    all.put(FROM, Long.toString(from));
    all.put(TO, Long.toString(to));
    return all;
  }

  @Override
  public void init() throws DBException {
    Properties properties = getProperties();
    from = Long.parseLong(properties.getProperty(FROM));
    to = Long.parseLong(properties.getProperty(TO));
    super.init();
  }

  @Override
  void count() {
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
    super.cleanup();
  }
}
