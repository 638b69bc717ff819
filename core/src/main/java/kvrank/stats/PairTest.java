package kvrank.stats;

import java.util.List;
import java.util.function.ToDoubleFunction;
import kvrank.stats.PairVerdict.Basis;

/**
 * Two engines compared: whether their values differ, by how much, and how much could have been
 * found.
 *
 * @param difference the mean logarithm of the first less that of the second
 * @param blocks how many blocks they share, or how many values the one with fewer has
 * @param basis what the values stand for
 * @param contrasts the tests of the difference, whose weights add up to 1
 */
record PairTest(double difference, int blocks, Basis basis, List<Contrast> contrasts) {

  PairTest {
    contrasts = List.copyOf(contrasts);
  }

  /** How probable a difference as large as this would be, at most, if there were none. */
  double p() {
    return smallest(contrast -> contrast.p(difference));
  }

  /** Half the width of the interval of the difference. It holds 0 just if p is above level. */
  double halfWidth(double level) {
    return smallest(contrast -> contrast.halfWidth(level));
  }

  /** Whether the interval of {@code level} lies within a factor of {@code margin} around 1. */
  boolean within(double margin, double level) {
    double room = Math.log(margin) - Math.abs(difference);
    return room > 0 && contrasts.stream().anyMatch(contrast -> contrast.p(room) <= level);
  }

  /** The second against the first. */
  PairTest reversed() {
    return new PairTest(-difference, blocks, basis, contrasts);
  }

  /** The first value divided by the second, with the interval of {@code level}. */
  Ratio ratio(double level) {
    double half = halfWidth(level);
    return new Ratio(
        Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half), 1 - level);
  }

  /** The smallest ratio above 1 that is found at {@code level} in {@code power} of all tables. */
  double detectable(double level, double power) {
    return Math.exp(smallest(contrast -> contrast.detectable(level, power)));
  }

  private double smallest(ToDoubleFunction<Contrast> value) {
    return contrasts.stream().mapToDouble(value).min().orElseThrow();
  }
}
