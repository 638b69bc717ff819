package kvrank.workload.request;

import java.time.Duration;

/**
 * How long a phase is measured; does not apply to loads.
 *
 * @param warmup before operations count; a drain has none
 * @param duration how long operations count if {@code operations} is 0; zero for a drain or trace
 *     that runs to its end
 * @param operations the number of counted records of all threads, or 0; compensating inserts are
 *     not counted
 */
public record Limits(Duration warmup, Duration duration, long operations) {

  public static Limits of(String warmup, String duration, String operations) {
    return operations.isEmpty()
        ? new Limits(duration(warmup), duration.isEmpty() ? Duration.ZERO : duration(duration), 0)
        : new Limits(duration(warmup), Duration.ZERO, Long.parseLong(operations));
  }

  private static Duration duration(String text) {
    return DurationFormat.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a duration"));
  }

  /** Returns these limits with a measured part {@code factor} times as long. */
  public Limits times(int factor) {
    return new Limits(warmup, duration.multipliedBy(factor), operations * factor);
  }

  /** Returns whether a number of operations, not a time, ends the phase. */
  public boolean counted() {
    return operations > 0;
  }

  /** Returns the time of warm-up and measurement, without counted operations. */
  public Duration total() {
    return warmup.plus(duration);
  }
}
