package kvrank.worker.phase;

import java.util.Arrays;

/**
 * Counts in windows of equal length, in constant memory: when all places are taken, neighbours are
 * merged and windows become twice as long. For one thread.
 */
final class ThroughputWindows {

  private final long[] counts;
  private long length;
  private long begin;
  private long counted;
  private int size;

  /**
   * @param places the largest number of windows, even
   * @param length of the first windows, in nanoseconds
   */
  ThroughputWindows(int places, long length) {
    this.counts = new long[places];
    this.length = length;
  }

  /** Begins the first window at {@code now} with the running total {@code total}. */
  void begin(long now, long total) {
    begin = now;
    counted = total;
  }

  boolean due(long now) {
    return now - begin >= length;
  }

  /** Ends a due window; if the call is late, the counts are divided over the windows by time. */
  void end(long now, long total) {
    while (due(now)) {
      long count = Math.round((double) (total - counted) / (now - begin) * length);
      counts[size++] = count;
      counted += count;
      begin += length;
      if (size == counts.length) {
        halve();
      }
    }
  }

  private void halve() {
    size /= 2;
    length *= 2;
    for (int i = 0; i < size; i++) {
      counts[i] = counts[2 * i] + counts[2 * i + 1];
    }
  }

  long[] counts() {
    return Arrays.copyOf(counts, size);
  }
}
