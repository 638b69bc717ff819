package kvrank.stats.infer;

import java.util.Optional;

/**
 * The verdict on two engines; {@code inference} is empty for too few data.
 *
 * @param value the first engine's value divided by the second's, as in {@link #ratio}
 * @param p the p-value, corrected for the other pairs of the table; NaN without a test
 * @param among the number of pairs that share the level of the table
 */
public record PairVerdict(
    Separation kind,
    double value,
    Optional<PairInference> inference,
    double level,
    double p,
    int among) {

  /** The largest factor between two engines that are called equal. */
  public static final double EQUAL = 1.1;

  /** The share of tables that detect a difference that is called detectable. */
  public static final double POWER = 0.8;

  /** A comparison that is less likely to be settled is set aside. */
  private static final double CHANCE = 0.1;

  /** Returns a verdict without a test; {@code ratio} may be NaN. */
  static PairVerdict untested(Separation kind, double ratio) {
    return new PairVerdict(kind, ratio, Optional.empty(), Double.NaN, Double.NaN, 0);
  }

  static PairVerdict of(
      PairInference inference, boolean separated, double level, double p, int among) {
    Separation kind =
        separated
            ? Separation.SEPARATED
            : inference.within(EQUAL, level) ? Separation.EQUAL : Separation.NOT_SEPARATED;
    return new PairVerdict(
        kind, Math.exp(inference.shown()), Optional.of(inference), level, p, among);
  }

  PairVerdict reversed() {
    return new PairVerdict(
        kind, 1 / value, inference.map(PairInference::reversed), level, p, among);
  }

  /** Returns whether the two are separated, or shown to be within {@code ratio} of each other. */
  public boolean settled(double ratio) {
    return separated()
        || inference.filter(pair -> level > 0 && pair.within(ratio, level)).isPresent();
  }

  /**
   * Returns whether {@code more} blocks are unlikely to settle the two. The level that setting them
   * aside saves is not spent elsewhere.
   */
  public boolean outOfReach(double ratio, int more) {
    return level > 0
        && inference.filter(pair -> pair.chance(ratio, once(), more) < CHANCE).isPresent();
  }

  /** Returns roughly the number of blocks that settle the two at this noise, up to {@code most}. */
  public int blocksToSettle(double ratio, int most) {
    return inference.orElseThrow().blocksToSettle(ratio, once(), most);
  }

  /** Returns the level of a table that is tested once, which is close to that of a last look. */
  private double once() {
    return (1 - Estimate.CONFIDENCE) / among;
  }

  public boolean separated() {
    return kind == Separation.SEPARATED;
  }

  /**
   * Returns the first engine's value divided by the second's. The interval excludes 1 exactly if
   * the two are separated.
   */
  public Ratio ratio() {
    return inference.map(pair -> pair.ratio(level)).orElseGet(() -> Ratio.withoutInterval(value));
  }

  /** Returns the largest {@link #p} that separates the two: 0.05 for a single test of the table. */
  public double needed() {
    return among * level;
  }

  /** Returns the smallest ratio above 1 that four of five tables detect; NaN without a test. */
  public double detectable() {
    return inference.map(pair -> pair.detectable(level, POWER)).orElse(Double.NaN);
  }
}
