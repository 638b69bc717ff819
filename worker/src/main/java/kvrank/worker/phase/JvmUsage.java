package kvrank.worker.phase;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.function.LongSupplier;
import kvrank.fact.Fact;
import kvrank.fact.Facts;

/**
 * Resources that this JVM has used since its start.
 *
 * @param cpuNanos processor time, negative if unknown
 * @param compilerNanos the part of the compiler's threads, 0 if unknown
 * @param pauseMillis time of collections, each rounded to a millisecond
 */
record JvmUsage(
    long cpuNanos, long compilerNanos, long collections, long pauseMillis, MemoryUsage heap) {

  static JvmUsage now(LongSupplier compiler) {
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
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    return new JvmUsage(cpu, compiler.getAsLong(), collections, millis, heap);
  }

  /** Adds the usage since {@code before} to {@code facts}. */
  void since(JvmUsage before, Facts facts) {
    if (before.cpuNanos >= 0 && cpuNanos >= 0) {
      facts.put(Fact.CLIENT_CPU_SECONDS, (cpuNanos - before.cpuNanos) / 1e9);
    }
    if (compilerNanos > 0) {
      facts.put(Fact.COMPILER_CPU_SECONDS, (compilerNanos - before.compilerNanos) / 1e9);
    }
    facts
        .put(Fact.CLIENT_HEAP_BYTES, heap.getUsed())
        .put(Fact.CLIENT_HEAP_COMMITTED_BYTES, heap.getCommitted())
        .put(Fact.GC_COUNT, collections - before.collections)
        .put(Fact.GC_PAUSE_MILLIS, pauseMillis - before.pauseMillis);
  }
}
