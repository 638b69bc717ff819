package kvrank.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * An engine that does nothing but ask the JVM, at two of its calls, how many bytes the calling
 * thread has allocated: what lies between is the harness's own. Says at its end what it found.
 */
public final class AllocationBinding extends DB {

  /** Well after the last compilation. */
  static final long FROM = 20_000_000;

  static final long TO = 40_000_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private long calls;
  private long before;
  private long after;

  private Status count() {
    calls++;
    if (calls == FROM) {
      before = THREADS.getCurrentThreadAllocatedBytes();
    } else if (calls == TO) {
      after = THREADS.getCurrentThreadAllocatedBytes();
    }
    return Status.OK;
  }

  @Override
  public void cleanup() {
    System.out.println("bytes per operation: " + (after - before) / (double) (TO - FROM));
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return count();
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's API
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return count();
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return count();
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return count();
  }

  @Override
  public Status delete(String table, String key) {
    return count();
  }
}
