package kvrank.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import kvrank.binding.ValueBuffer;
import site.ycsb.Status;

/**
 * A {@link MemoryBinding} of which one read, that of number {@code stall.at}, takes {@code
 * stall.nanos}. It keeps when each read began and ended.
 */
public final class StallingBinding extends MemoryBinding {

  private static final Map<String, List<Interval>> READS = new ConcurrentHashMap<>();

  private int count;

  /** When a read began and ended, as {@link System#nanoTime} told it. */
  record Interval(long begin, long end) {}

  /** The reads of the store of that name, in order. */
  static List<Interval> reads(String name) {
    return READS.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>());
  }

  @Override
  public Status read(byte[] key, ValueBuffer value) {
    long begin = System.nanoTime();
    if (count++ == Integer.parseInt(getProperties().getProperty("stall.at"))) {
      long over = begin + Long.parseLong(getProperties().getProperty("stall.nanos"));
      while (System.nanoTime() < over) {
        LockSupport.parkNanos(over - System.nanoTime());
      }
    }
    Status status = super.read(key, value);
    reads(getProperties().getProperty("store")).add(new Interval(begin, System.nanoTime()));
    return status;
  }
}
