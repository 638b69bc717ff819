package kvrank.capture;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongToDoubleFunction;
import kvrank.capture.FrequencyProfile.Popular;
import kvrank.workload.random.KeyChoice;

/**
 * Which keys exist if some writes set a time to live, at a steady rate. A key is missing if its
 * last write set one that has passed; if reads that miss are filled, from its end to the next read.
 *
 * @param share the share of the writes, or of the filled keys, that have a time to live
 * @param accesses the number of writes, or of reads that would fill, of all keys in that time
 * @param fills whether a write follows each read that misses, and there are no other writes
 */
record Survival(double share, double accesses, boolean fills) {

  /** More keys for each one that exists cannot be distinguished from them. */
  private static final long MOST_UNSEEN = 1_000;

  /** The part of the misses that the model may be off before it counts as not steady yet. */
  private static final double UNSTEADY = 0.05;

  /**
   * Returns the probability that a key is missing.
   *
   * @param popularity the share of the accesses that are of the key
   * @param lives the number of times to live since the traffic began; infinite if long ago
   */
  private double missing(double popularity, double lives) {
    double mean = popularity * accesses;
    return share
        * (fills ? 1 / (1 + mean) : Math.max(0, Math.exp(-mean) - Math.exp(-mean * lives)));
  }

  /** Returns the probability that a key exists. */
  double exists(Popular key) {
    return 1 - missing(key.probability(), Double.POSITIVE_INFINITY);
  }

  /** Returns the share of the reads that miss. */
  double misses(KeyChoice choice, long keys) {
    return misses(Skew.model(choice, keys), Double.POSITIVE_INFINITY);
  }

  private double misses(List<Popular> model, double lives) {
    return model.stream()
        .mapToDouble(each -> each.keys() * each.probability() * missing(each.probability(), lives))
        .sum();
  }

  private double existing(List<Popular> model, double lives) {
    return model.stream()
        .mapToDouble(each -> each.keys() * (1 - missing(each.probability(), lives)))
        .sum();
  }

  /**
   * Returns the number of keys that clients ask for.
   *
   * @param counted the number of keys that the server counts
   * @param existing how many of them exist; empty if it is unknown how many expired ones the server
   *     still counts
   * @param misses the share of the reads that miss; if it is too low for a steady state, keys exist
   *     that were not written since the traffic began
   */
  long population(KeyChoice choice, long counted, OptionalDouble existing, double misses) {
    if (existing.isEmpty()) {
      return smallest(counted / 2, MOST_UNSEEN * counted, keys -> misses(choice, keys) - misses);
    }
    double found = existing.getAsDouble();
    long fewest = Math.max(2, Math.round(found));
    long steady =
        smallest(
            fewest,
            MOST_UNSEEN * fewest,
            keys -> existing(Skew.model(choice, keys), Double.POSITIVE_INFINITY) - found);
    if (fills || misses >= (1 - UNSTEADY) * misses(choice, steady)) {
      return steady;
    }
    return smallest(
        fewest,
        steady,
        keys -> {
          List<Popular> model = Skew.model(choice, keys);
          return existing(model, lives(model, misses)) - found;
        });
  }

  /** Returns the number of times to live after which this share of the reads misses. */
  private double lives(List<Popular> model, double misses) {
    if (misses(model, Double.POSITIVE_INFINITY) <= misses) {
      return Double.POSITIVE_INFINITY;
    }
    DoubleUnaryOperator off = lives -> misses(model, lives) - misses;
    double low = 1;
    double high = 2;
    while (off.applyAsDouble(high) < 0) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 30; i++) {
      double middle = (low + high) / 2;
      boolean enough = off.applyAsDouble(middle) >= 0;
      low = enough ? low : middle;
      high = enough ? middle : high;
    }
    return high;
  }

  /** Returns the smallest number, to a thousandth, for which a growing function is not negative. */
  private static long smallest(long from, long to, LongToDoubleFunction growing) {
    long fewest = from;
    long most = to;
    while (most - fewest > fewest / 1_000) {
      long middle = (fewest + most) / 2;
      if (growing.applyAsDouble(middle) < 0) {
        fewest = middle;
      } else {
        most = middle;
      }
    }
    return fewest;
  }
}
