package kvrank.run.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The times in which this process did not run, as on a machine that is suspended. Times are
 * nanoseconds of one clock.
 */
final class Standstills {

  /** A caller that polls every few milliseconds stood still if it did not for this long. */
  private static final long NOTICED_NANOS = Duration.ofMillis(100).toNanos();

  private record Span(long start, long end) {

    long within(long from, long to) {
      return Math.max(0, Math.min(end, to) - Math.max(start, from));
    }
  }

  private final List<Span> spans = new ArrayList<>();
  private long woken;

  Standstills(long now) {
    woken = now;
  }

  /** Records that the caller runs. */
  void awake(long now) {
    if (now - woken > NOTICED_NANOS) {
      spans.add(new Span(woken, now));
    }
    woken = now;
  }

  /** Returns the time from {@code from} to {@code to}, without standstills; 0 if it is negative. */
  long awakeNanos(long from, long to) {
    return Math.max(0, to - from - spans.stream().mapToLong(span -> span.within(from, to)).sum());
  }
}
