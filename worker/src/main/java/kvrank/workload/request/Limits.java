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
 * @param untilSteady whether the warm-up ends when throughput is steady, {@code warmup} at the
 *     latest
 */
public record Limits(Duration warmup, Duration duration, long operations, boolean untilSteady) {

  /** Begins a warm-up in text that ends when throughput is steady; its longest time follows. */
  public static final String STEADY_WITHIN = "steady-within-";

  public Limits(Duration warmup, Duration duration, long operations) {
    this(warmup, duration, operations, false);
  }

  public static Limits of(String warmup, String duration, String operations) {
    boolean untilSteady = warmup.startsWith(STEADY_WITHIN);
    boolean timed = operations.isEmpty() && !duration.isEmpty();
    return new Limits(
        duration(untilSteady ? warmup.substring(STEADY_WITHIN.length()) : warmup),
        timed ? duration(duration) : Duration.ZERO,
        operations.isEmpty() ? 0 : Long.parseLong(operations),
        untilSteady);
  }

  /** Returns the warm-up as {@link #of} reads it. */
  public String warmupText() {
    return (untilSteady ? STEADY_WITHIN : "") + DurationFormat.format(warmup);
  }

  private static Duration duration(String text) {
    return DurationFormat.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a duration"));
  }

  /** Returns these limits with a measured part {@code factor} times as long. */
  public Limits times(int factor) {
    return new Limits(warmup, duration.multipliedBy(factor), operations * factor, untilSteady);
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
