package kvrank.run.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The times in which nothing ran, as on a machine that is suspended: neither this process nor the
 * clients, which acknowledged less than usual. Times are nanoseconds of one clock.
 */
final class Standstills {

  /** A caller that polls every few milliseconds stood still if it did not for this long. */
  private static final long NOTICED_NANOS = Duration.ofMillis(100).toNanos();

  private record Span(long start, long end) {

    long within(long from, long to) {
      return Math.max(0, Math.min(end, to) - Math.max(start, from));
    }
  }

  /** Clients that acknowledged at least this share of what they usually do were running. */
  private static final double USUAL = 0.5;

  private final List<Span> spans = new ArrayList<>();
  private final long start;
  private long woken;
  private long acknowledged;

  Standstills(long now) {
    start = now;
    woken = now;
  }

  /** Records that the caller runs, when clients have acknowledged {@code total} writes. */
  void awake(long now, long total) {
    if (now - woken > NOTICED_NANOS) {
      double usual = (double) acknowledged / Math.max(1, woken - start) * (now - woken);
      if (total - acknowledged <= USUAL * usual) {
        spans.add(new Span(woken, now));
      }
    }
    woken = now;
    acknowledged = total;
  }

  /** Returns the time from {@code from} to {@code to}, without standstills; 0 if it is negative. */
  long awakeNanos(long from, long to) {
    return Math.max(0, to - from - spans.stream().mapToLong(span -> span.within(from, to)).sum());
  }
}
