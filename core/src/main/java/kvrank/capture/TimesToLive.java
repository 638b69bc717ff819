package kvrank.capture;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * What the times that keys have left say of the time to live that they were given.
 *
 * <p>If all are given the same and are written at a steady rate, what is left is spread evenly up
 * to it, and higher where keys are written again before they end: then as many have a given part
 * left as that part, or fewer. More have little left if several times to live are in use.
 */
final class TimesToLive {

  /** Fewer keys say too little. */
  static final int LEAST = 100;

  /** One time to live may be off by so much, beyond chance (Kolmogorov's, one-sided, 95 %). */
  private static final double DISTANCE = 0.1;

  private static final double CHANCE = 1.22;

  /** The upper end is this quantile's, so that a few keys of another kind do not count. */
  private static final double QUANTILE = 0.99;

  private final long[] sorted;
  private final double upper;
  private final boolean steady;

  /** The milliseconds that keys had left, as they were sampled for so many seconds. */
  TimesToLive(long[] remaining, double seconds) {
    int half = remaining.length / 2;
    sorted = sorted(remaining, 0, remaining.length);
    upper = upper(sorted);
    // Of keys that are no longer written less is left after a while, by that while.
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

  /** Returns how many more of the keys have little left than one time to live explains. */
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

  /** Returns the time to live in seconds, 1 or more; empty if it cannot be told, or is not one. */
  OptionalInt seconds() {
    boolean told = count() >= LEAST && steady;
    return told && distance() < DISTANCE + CHANCE / Math.sqrt(count())
        ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.round(upper / 1e3))))
        : OptionalInt.empty();
  }

  /** Returns how it was found, as the rest of a sentence after the share of the keys. */
  @Override
  public String toString() {
    if (count() == 0) {
      return "";
    }
    String left =
        "; what %,d had left was p50 %.1f s, p99 %.1f s, at most %.1f s"
            .formatted(
                count(),
                sorted[count() / 2] / 1e3,
                sorted[(int) (QUANTILE * (count() - 1))] / 1e3,
                sorted[count() - 1] / 1e3);
    if (count() < LEAST) {
      return left + ", too few to tell what they were given";
    } else if (!steady) {
      return left + ", and less later on: what they were given is not known";
    }
    String found =
        seconds().isPresent()
            ? ", as of keys that are written all the time and given %d s: "
            : ", which is not of one time to live: of %d s, ";
    return left
        + found.formatted(seconds().orElse((int) (upper / 1e3)))
        + "%.3f of them more than that explains have little left".formatted(distance());
  }
}
