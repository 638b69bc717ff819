package kvrank.worker.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of latencies by size, which other threads can read at any time, unlike a histogram of
 * HdrHistogram. A bucket is at most 6 % wide.
 */
public final class LatencyCounts {

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  /** The binary logarithm of the number of buckets for each power of two. */
  private static final int DIGITS = 4;

  private static final int STEPS = 1 << DIGITS;
  private static final int BUCKETS = (Long.SIZE - DIGITS) * STEPS;

  /** A percentile is reported only if at least this many requests lie beyond it. */
  private static final long BEYOND = 10;

  private final long[] counts = new long[BUCKETS];

  /** Counts a latency in nanoseconds; only the owner's thread may call this. */
  void add(long nanos) {
    int bucket = bucket(nanos);
    COUNTS.setOpaque(counts, bucket, counts[bucket] + 1);
  }

  private static int bucket(long nanos) {
    long value = Math.max(nanos, STEPS);
    int shift = Long.SIZE - 1 - DIGITS - Long.numberOfLeadingZeros(value);
    return shift * STEPS + (int) (value >>> shift) - STEPS;
  }

  /** Adds the counts of {@code other}, which another thread may change meanwhile. */
  public void addAll(LatencyCounts other) {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] += (long) COUNTS.getOpaque(other.counts, i);
    }
  }

  /**
   * Returns the 99th percentile in nanoseconds of the latencies since {@code earlier}: the largest
   * of its bucket, or 0 if fewer than 10 lie beyond it.
   */
  public long p99Since(LatencyCounts earlier) {
    long total = 0;
    for (int i = 0; i < BUCKETS; i++) {
      total += counts[i] - earlier.counts[i];
    }
    long beyond = total / 100;
    if (beyond < BEYOND) {
      return 0;
    }
    int bucket = BUCKETS;
    for (long seen = 0; seen <= beyond; ) {
      bucket--;
      seen += counts[bucket] - earlier.counts[bucket];
    }
    int shift = bucket / STEPS;
    return ((bucket % STEPS + STEPS + 1L) << shift) - 1;
  }
}
