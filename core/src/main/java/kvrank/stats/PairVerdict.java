package kvrank.stats;

import java.util.Optional;

/** What the data say of one engine against another. */
public final class PairVerdict {

  /** What is compared with what. */
  public enum Basis {
    /** Repetitions of one execution that both have. What executions differ by is not in it. */
    REPETITIONS,
    /** The means of executions that both are in. */
    EXECUTIONS,
    /** Values that have no block in common. */
    INDEPENDENT
  }

  /** How far two engines that are called equal may be apart, as a factor. */
  public static final double EQUAL = 1.1;

  /** The share of tables in which a difference that is called detectable is found. */
  static final double POWER = 0.8;

  private final Separation kind;
  private final double ratio;
  private final Optional<PairTest> test;
  private final double level;
  private final double corrected;
  private final int among;

  private PairVerdict(
      Separation kind,
      double ratio,
      Optional<PairTest> test,
      double level,
      double corrected,
      int among) {
    this.kind = kind;
    this.ratio = ratio;
    this.test = test;
    this.level = level;
    this.corrected = corrected;
    this.among = among;
  }

  /** A pair of which at most the ratio of the values is known. */
  static PairVerdict untested(double ratio) {
    return new PairVerdict(Separation.UNTESTED, ratio, Optional.empty(), Double.NaN, Double.NaN, 0);
  }

  /**
   * The verdict of a test.
   *
   * @param level the level at which it was made
   * @param corrected its p-value, corrected for the other pairs of the table
   * @param among how many pairs the level of the table was divided by
   */
  static PairVerdict of(
      PairTest test, boolean separated, double level, double corrected, int among) {
    Separation kind =
        separated
            ? Separation.SEPARATED
            : test.within(EQUAL, level) ? Separation.EQUAL : Separation.NOT_SEPARATED;
    return new PairVerdict(
        kind, Math.exp(test.difference()), Optional.of(test), level, corrected, among);
  }

  /** The same of the engines in the other order. */
  PairVerdict reversed() {
    return new PairVerdict(kind, 1 / ratio, test.map(PairTest::reversed), level, corrected, among);
  }

  public Separation kind() {
    return kind;
  }

  /** Whether the data tell which of the two is better. */
  public boolean separated() {
    return kind == Separation.SEPARATED;
  }

  /** What was compared; empty if it is not tested. */
  public Optional<Basis> basis() {
    return test.map(PairTest::basis);
  }

  /** The blocks that decide: those that both share. */
  public int blocks() {
    return test.map(PairTest::blocks).orElse(0);
  }

  /** The value of {@link #ratio}, without an interval. */
  public double value() {
    return ratio;
  }

  /**
   * The first engine's value divided by the second's: the geometric mean of the ratios in the
   * blocks that both share. The interval leaves out 1 just if the two are separated.
   */
  public Ratio ratio() {
    return test.map(found -> found.ratio(level)).orElseGet(() -> Ratio.withoutInterval(ratio));
  }

  /**
   * How probable it is, at most, that a table of equal engines has a pair that is so far apart. NaN
   * if it is not tested.
   */
  public double p() {
    return corrected;
  }

  /**
   * What {@link #p} may be at most for the two to be separated: 0.05 where data are looked at once.
   */
  public double needed() {
    return among * level;
  }

  /**
   * The smallest ratio above 1 that would have been found in four of five tables, at the noise that
   * was seen. NaN if it is not tested.
   */
  public double detectable() {
    return test.map(found -> found.detectable(level, POWER)).orElse(Double.NaN);
  }

  @Override
  public String toString() {
    return "%s, ratio %s, p %.4g of %.4g".formatted(kind, ratio(), corrected, needed());
  }
}
