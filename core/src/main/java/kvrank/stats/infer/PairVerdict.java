package kvrank.stats.infer;

import java.util.Optional;

/**
 * What the data say of one engine against another; there is no test if they are too few.
 *
 * @param value the first engine's value divided by the second's, as in {@link #ratio}
 * @param p how probable it is, at most, that a table of equal engines has a pair that is so far
 *     apart; NaN if it is not tested
 * @param among how many pairs the level of the table was divided by
 */
public record PairVerdict(
    Separation kind,
    double value,
    Optional<PairInference> inference,
    double level,
    double p,
    int among) {

  /** How far two engines that are called equal may be apart, as a factor. */
  public static final double EQUAL = 1.1;

  /** The share of tables in which a difference that is called detectable is found. */
  public static final double POWER = 0.8;

  /** What is less likely to be settled is not repeated for it. */
  private static final double CHANCE = 0.1;

  /** A pair of which at most the ratio of the values is known, or that could be chance so far. */
  static PairVerdict untested(Separation kind, double ratio) {
    return new PairVerdict(kind, ratio, Optional.empty(), Double.NaN, Double.NaN, 0);
  }

  /** The verdict of a test; {@code p} is corrected for the other pairs of the table. */
  static PairVerdict of(
      PairInference inference, boolean separated, double level, double p, int among) {
    Separation kind =
        separated
            ? Separation.SEPARATED
            : inference.within(EQUAL, level) ? Separation.EQUAL : Separation.NOT_SEPARATED;
    return new PairVerdict(
        kind, Math.exp(inference.difference()), Optional.of(inference), level, p, among);
  }

  PairVerdict reversed() {
    return new PairVerdict(
        kind, 1 / value, inference.map(PairInference::reversed), level, p, among);
  }

  /** Whether the two are separated, or are not further apart than {@code ratio}. */
  public boolean settled(double ratio) {
    return separated()
        || inference.filter(pair -> level > 0 && pair.within(ratio, level)).isPresent();
  }

  /**
   * Whether {@code more} blocks of the two are unlikely to settle them, so that they had better be
   * set aside. What that leaves unspent of the level nobody spends, so no look gets easier by it.
   */
  public boolean outOfReach(double ratio, int more) {
    return level > 0
        && inference.filter(pair -> pair.chance(ratio, once(), more) < CHANCE).isPresent();
  }

  /** How many blocks would settle them at this noise, about; at most {@code most}. */
  public int blocksToSettle(double ratio, int most) {
    return inference.orElseThrow().blocksToSettle(ratio, once(), most);
  }

  /** The level of a table that is looked at once: near that of a last look. */
  private double once() {
    return (1 - Estimate.CONFIDENCE) / among;
  }

  public boolean separated() {
    return kind == Separation.SEPARATED;
  }

  /**
   * The first engine's value divided by the second's: the geometric mean of the ratios in the
   * blocks that both share. The interval leaves out 1 just if the two are separated.
   */
  public Ratio ratio() {
    return inference.map(pair -> pair.ratio(level)).orElseGet(() -> Ratio.withoutInterval(value));
  }

  /** What {@link #p} may be at most for the two to be separated: 0.05 where looked at once. */
  public double needed() {
    return among * level;
  }

  /** The smallest ratio above 1 that four of five tables show at this noise; NaN without a test. */
  public double detectable() {
    return inference.map(pair -> pair.detectable(level, POWER)).orElse(Double.NaN);
  }
}
