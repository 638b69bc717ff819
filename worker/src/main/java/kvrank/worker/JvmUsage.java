package kvrank.worker;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.SortedMap;

/**
 * What this JVM has used since it began.
 *
 * @param cpuNanos processor time of the process, or a negative number where it is not told
 * @param collections the number of garbage collections
 * @param pauseMillis how long these took, to a millisecond each as the JVM tells it
 */
record JvmUsage(long cpuNanos, long collections, long pauseMillis) {

  static JvmUsage now() {
    long collections = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += Math.max(0, collector.getCollectionCount());
      millis += Math.max(0, collector.getCollectionTime());
    }
    long cpu =
        ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuTime()
            : -1;
    return new JvmUsage(cpu, collections, millis);
  }

  /** Adds to {@code facts} what was used between {@code before} and this. */
  void since(JvmUsage before, SortedMap<String, String> facts) {
    if (before.cpuNanos >= 0 && cpuNanos >= 0) {
      facts.put("client.cpuSeconds", Decimal.of((cpuNanos - before.cpuNanos) / 1e9));
    }
    facts.put("gc.count", Long.toString(collections - before.collections));
    facts.put("gc.pauseMillis", Long.toString(pauseMillis - before.pauseMillis));
  }
}
