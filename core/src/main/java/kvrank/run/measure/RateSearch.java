package kvrank.run.measure;

import java.util.OptionalDouble;

/**
 * Searches the highest good rate by bisection, assuming that lower rates are good. If a rate had
 * too few requests, the search goes up, since lower rates have even fewer.
 */
final class RateSearch {

  /** The search ends when the good and the bad rate are this close. */
  private static final double PRECISION = 1.05;

  /** Below this share of the unlimited rate, a result is useless. */
  private static final double FLOOR = 0.001;

  private final int limit;
  private final double floor;
  private double notBad;
  private double bad;
  private double next;
  private int rates;

  /** Creates a search below the unlimited rate, in at most {@code limit} steps. */
  RateSearch(double reached, int limit) {
    if (!(reached > 0)) {
      throw new IllegalArgumentException("reached is " + reached);
    }
    this.limit = limit;
    this.floor = reached * FLOOR;
    this.bad = reached * PRECISION;
    this.next = reached / 2;
  }

  /** Returns the rate to try, or empty if the search is over. */
  OptionalDouble next() {
    boolean settled = notBad > 0 && bad / notBad <= PRECISION;
    return rates >= limit || settled || next < floor
        ? OptionalDouble.empty()
        : OptionalDouble.of(next);
  }

  /** Records the verdict on the rate of {@link #next}. */
  void tried(BoundCheck.Verdict verdict) {
    rates++;
    if (verdict == BoundCheck.Verdict.BAD) {
      bad = next;
    } else {
      notBad = next;
    }
    // Without a good rate, the magnitude is unknown: go down fast.
    next = notBad > 0 ? (notBad + bad) / 2 : bad / 4;
  }
}
