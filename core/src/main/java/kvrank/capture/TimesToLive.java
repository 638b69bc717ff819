package kvrank.capture;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Estimates the time to live that keys were given from their remaining times.
 *
 * <p>If all keys are given the same time to live and are written at a steady rate, remaining times
 * are uniform up to it, or longer if keys are written again before they expire. If several times to
 * live are in use, more keys have little time left.
 */
final class TimesToLive {

  /** The fewest keys for an estimate. */
  static final int LEAST = 100;

  /**
   * The largest distance from a single time to live, beyond chance (Kolmogorov, one-sided, 95 %).
   */
  private static final double DISTANCE = 0.1;

  private static final double CHANCE = 1.22;

  /** The quantile that determines the upper end, so that a few other keys do not count. */
  private static final double QUANTILE = 0.99;

  private final long[] sorted;
  private final double upper;
  private final boolean steady;

  /**
   * Remaining times in milliseconds, in the order in which they were sampled during {@code
   * seconds}.
   */
  TimesToLive(long[] remaining, double seconds) {
    int half = remaining.length / 2;
    sorted = sorted(remaining, 0, remaining.length);
    upper = upper(sorted);
    // If keys are no longer written, remaining times shrink as time passes.
    double before = upper(sorted(remaining, 0, half));
    double declined = before - upper(sorted(remaining, half, remaining.length));
    double chance = 3 * upper * Math.sqrt(QUANTILE * (1 - QUANTILE) / Math.max(1, half));
    steady = declined < Math.max(1e3 * seconds / 4, chance);
  }

  private static long[] sorted(long[] values, int from, int to) {
    long[] part = Arrays.copyOfRange(values, from, to);
    Arrays.sort(part);
    return part;
  }

  private static double upper(long... sorted) {
    int last = sorted.length - 1;
    return last < 0
        ? 0
        : Math.min((double) sorted[last], sorted[(int) Math.ceil(QUANTILE * last)] / QUANTILE);
  }

  /**
   * Returns the share of keys with little time left, beyond what a single time to live explains.
   */
  double distance() {
    double most = 0;
    for (int i = 0; i < sorted.length; i++) {
      most = Math.max(most, (i + 1.0) / sorted.length - sorted[i] / upper);
    }
    return most;
  }

  /** Returns the number of keys. */
  int count() {
    return sorted.length;
  }

  /** Returns the time to live in seconds, at least 1; empty if unknown, or if there are several. */
  OptionalInt seconds() {
    boolean known = count() >= LEAST && steady;
    return known && distance() < DISTANCE + CHANCE / Math.sqrt(count())
        ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.round(upper / 1e3))))
        : OptionalInt.empty();
  }

  /** Returns the evidence, as the rest of a sentence after the share of the keys. */
  @Override
  public String toString() {
    if (count() == 0) {
      return "";
    }
    String left =
        "; remaining times of %,d: p50 %.1f s, p99 %.1f s, maximum %.1f s"
            .formatted(
                count(),
                sorted[count() / 2] / 1e3,
                sorted[(int) (QUANTILE * (count() - 1))] / 1e3,
                sorted[count() - 1] / 1e3);
    if (count() < LEAST) {
      return left + ", too few to estimate the original time";
    } else if (!steady) {
      return left + ", shrinking during the capture, so the original time is unknown";
    }
    String found =
        seconds().isPresent()
            ? ", as for keys that are written steadily and given %d s: "
            : ", which a single time to live does not explain: with %d s, ";
    return left
        + found.formatted(seconds().orElse((int) (upper / 1e3)))
        + "the share with little time left is %.3f too high".formatted(distance());
  }
}
