package kvrank.workload.request;

import java.time.Duration;

/**
 * How long a phase is measured. Of a load nothing of it applies.
 *
 * @param warmup how long operations are applied before they count; a drain has no warm-up
 * @param duration how long operations count, if {@code operations} is 0; a drain and a trace may
 *     end earlier and, if this is zero, end only when nothing is left
 * @param operations the number of records of all threads together that count, or 0; inserts that
 *     make up for deletes are counted as inserts but not against this
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

  /** Returns these limits with {@code factor} times as much that counts. */
  public Limits times(int factor) {
    return new Limits(warmup, duration.multipliedBy(factor), operations * factor);
  }

  /** Returns whether a number of operations ends the phase, not a time. */
  public boolean counted() {
    return operations > 0;
  }

  /** Returns the warm-up and what is measured together; what is counted takes no known time. */
  public Duration total() {
    return warmup.plus(duration);
  }
}
