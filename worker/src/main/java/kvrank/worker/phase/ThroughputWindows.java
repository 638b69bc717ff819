package kvrank.worker.phase;

import java.util.Arrays;

/**
 * Counts in windows of equal length, however long they go on, in constant memory: when all places
 * are taken, each two neighbours become one and windows are twice as long. So in the end there are
 * between half as many windows as places and as many. Used by one thread.
 */
final class ThroughputWindows {

  private final long[] counts;
  private long length;
  private long begin;
  private long counted;
  private int size;

  /**
   * @param places the most windows, even
   * @param length the length of the first windows, in nanoseconds
   */
  ThroughputWindows(int places, long length) {
    this.counts = new long[places];
    this.length = length;
  }

  /** Begins the first window at {@code now}, when the running total is {@code total}. */
  void begin(long now, long total) {
    begin = now;
    counted = total;
  }

  /** Whether a window is over at {@code now}. */
  boolean due(long now) {
    return now - begin >= length;
  }

  /**
   * Ends a window that is due. What is counted late, since this was called late, belongs to the
   * next windows by their shares of the time.
   */
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

  /** The count of each whole window, in order. */
  long[] counts() {
    return Arrays.copyOf(counts, size);
  }
}
