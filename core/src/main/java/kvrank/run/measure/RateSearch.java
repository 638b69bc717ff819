package kvrank.run.measure;

import java.util.OptionalDouble;

/**
 * Looks for the highest good rate by bisection, between nothing and what the engine reaches when
 * nothing holds it back. A good rate is taken to be good below too; where the engine disagrees, the
 * points tell. Where too few requests say nothing of a rate, lower ones have still fewer: the
 * search goes up from there.
 */
final class RateSearch {

  /** The search ends when the good and the bad rate are this near to each other. */
  private static final double PRECISION = 1.05;

  /** Below this share of what the engine reaches, a search is of no use to anybody. */
  private static final double FLOOR = 0.001;

  private final int limit;
  private final double floor;
  private double notBad;
  private double bad;
  private double next;
  private int rates;

  /**
   * @param reached operations per second without a limit, greater than 0
   * @param limit how many rates to try at most
   */
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

  /** Says how the rate went that {@link #next} gave. */
  void tried(BoundCheck.Verdict verdict) {
    rates++;
    if (verdict == BoundCheck.Verdict.BAD) {
      bad = next;
    } else {
      notBad = next;
    }
    // Without any rate to go up from the right magnitude is not known yet: go down fast.
    next = notBad > 0 ? (notBad + bad) / 2 : bad / 4;
  }
}
