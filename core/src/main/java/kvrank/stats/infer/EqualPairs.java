package kvrank.stats.infer;

import java.util.HashMap;
import java.util.Map;

/**
 * The pairs of engines of a table that may be equal. Equality is transitive, so the engines fall
 * into groups of equal ones, and no group has two engines that differ.
 */
final class EqualPairs {

  /** The most engines whose groups are counted; more have an upper bound. */
  private static final int MOST_ENGINES = 24;

  private long[] maybe;
  private int left;
  private final Map<Long, Integer> known = new HashMap<>();

  /** Creates the pairs of {@code engines} engines, none of which is known to differ. */
  EqualPairs(int engines) {
    left = engines * (engines - 1) / 2;
    maybe = new long[engines <= MOST_ENGINES ? engines : 0];
    for (int e = 0; e < maybe.length; e++) {
      maybe[e] = all() & ~(1L << e);
    }
  }

  private long all() {
    return (1L << maybe.length) - 1;
  }

  /** Removes a pair that is left. */
  void differ(int first, int second) {
    left--;
    if (maybe.length > 0) {
      maybe[first] &= ~(1L << second);
      maybe[second] &= ~(1L << first);
      known.clear();
    }
  }

  /**
   * Removes a pair of engines that is not tested, although both are compared with others. They may
   * be equal, so nothing follows from what is known of others.
   */
  void untested() {
    left--;
    maybe = new long[0];
  }

  /** Returns the number of pairs that are left, an upper bound of {@link #most}. */
  int left() {
    return left;
  }

  /** Returns the largest number of pairs that can be equal at the same time. */
  int most() {
    return maybe.length == 0 ? left : most(all());
  }

  /**
   * Returns the largest sum over groups of {@code engines} of their pairs. The largest group of the
   * best partition cannot be extended, because it would gain more pairs than the other group loses.
   */
  private int most(long engines) {
    Integer before = known.get(engines);
    if (before != null) {
      return before;
    }
    int most = extend(0, engines, 0, engines);
    known.put(engines, most);
    return most;
  }

  /**
   * Enumerates the groups that cannot be extended (C. Bron and J. Kerbosch, "Algorithm 457: finding
   * all cliques of an undirected graph", Communications of the ACM 16, 1973), with a pivot.
   */
  private int extend(long group, long candidates, long excluded, long engines) {
    if (candidates == 0) {
      int size = Long.bitCount(group);
      return excluded != 0 || size < 2 ? 0 : size * (size - 1) / 2 + most(engines & ~group);
    }
    int pivot = -1;
    for (long left = candidates | excluded; left != 0; left &= left - 1) {
      int e = Long.numberOfTrailingZeros(left);
      if (pivot < 0
          || Long.bitCount(candidates & maybe[e]) > Long.bitCount(candidates & maybe[pivot])) {
        pivot = e;
      }
    }
    int most = 0;
    long tried = excluded;
    long open = candidates;
    for (long left = candidates & ~maybe[pivot]; left != 0; left &= left - 1) {
      int e = Long.numberOfTrailingZeros(left);
      most = Math.max(most, extend(group | 1L << e, open & maybe[e], tried & maybe[e], engines));
      open &= ~(1L << e);
      tried |= 1L << e;
    }
    return most;
  }
}
