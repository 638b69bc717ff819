package kvrank.stats.infer;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The statistical inference about two engines: whether their values differ, by how much, and which
 * difference is detectable.
 *
 * @param difference the mean logarithm of the first minus that of the second, which is tested
 * @param blocks the number of shared blocks, or the smaller number of values
 * @param contrasts the tests of the difference, whose weights add up to 1
 * @param shown the difference of the values that are shown, also of what no test may use
 */
public record PairInference(
    double difference, int blocks, Basis basis, List<Contrast> contrasts, double shown) {

  private static final double ROUNDING = 1e-9;

  /** The degrees of freedom of a known variance, beyond which Student's t is normal. */
  private static final double MOST_DEGREES = 1e6;

  /** Creates the inference from values that are all tested. */
  public PairInference(double difference, int blocks, Basis basis, List<Contrast> contrasts) {
    this(difference, blocks, basis, contrasts, difference);
  }

  public enum Basis {
    /** Shared repetitions of one execution, without the differences between executions. */
    REPETITIONS,
    /** The means of shared executions. */
    EXECUTIONS,
    /** Values that share no block. */
    INDEPENDENT
  }

  /**
   * One t-test of a difference of logarithms.
   *
   * @param error the standard error
   * @param weight the test's share of the level
   * @param speeds a difference that a machine of two speeds explains, see {@link TwoSpeeds}
   */
  public record Contrast(double error, double degrees, double weight, double speeds) {

    /** Creates a test that supposes a machine of one speed. */
    public Contrast(double error, double degrees, double weight) {
      this(error, degrees, weight, 0);
    }

    /** Returns the p-value, divided by the weight. */
    public double p(double difference) {
      if (Math.abs(difference) <= speeds) {
        return 1;
      }
      double tail = distribution().cumulativeProbability(-Math.abs(difference) / error);
      return Math.min(1, 2 * tail / weight);
    }

    /** Returns half the width of the interval at {@code level}. */
    double halfWidth(double level) {
      double t = -distribution().inverseCumulativeProbability(level * weight / 2);
      return Math.max(speeds, t * error);
    }

    /**
     * Returns approximately the difference that is detected at {@code level} with probability
     * {@code power}, by the noncentral t distribution of N. L. Johnson and B. L. Welch (Biometrika
     * 31, 1940).
     */
    double detectable(double level, double power) {
      double t = after(1).halfWidth(level) / error;
      double z = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(power);
      double noise = t * (1 - 1 / (4 * degrees)) + z * Math.sqrt(1 + t * t / (2 * degrees));
      return Math.max(speeds, error * noise);
    }

    /** Returns the contrast for {@code times} as many blocks at the same noise and one speed. */
    private Contrast after(double times) {
      return new Contrast(error / Math.sqrt(times), degrees * times, weight);
    }

    /**
     * Returns the probability that {@code times} as many blocks separate the engines at {@code
     * level} or show them to be within {@code margin}: the predictive power of D. J. Spiegelhalter,
     * L. S. Freedman and P. R. Blackburn ("Monitoring clinical trials: conditional or predictive
     * power?", Controlled Clinical Trials 7, 1986).
     */
    double chance(double difference, double level, double margin, double times) {
      double half = after(times).halfWidth(level);
      double scale = error * Math.sqrt(1 - 1 / times);
      double room = margin - half;
      double settled = upper((half - difference) / scale) + upper((half + difference) / scale);
      if (room > 0) {
        settled += 1 - upper((room - difference) / scale) - upper((room + difference) / scale);
      }
      return Math.min(1, settled); // above 1 every difference is one or the other
    }

    private double upper(double t) {
      return distribution().cumulativeProbability(-t);
    }

    private TDistribution distribution() {
      return new TDistribution(null, degrees);
    }
  }

  /**
   * Returns the smallest p-value of the tests, an upper bound over all of them; 1 if the difference
   * that is shown has another sign.
   */
  public double p() {
    return difference * shown > 0 ? smallest(contrast -> contrast.p(difference)) : 1;
  }

  /**
   * Returns half the width of the interval, which contains 0 exactly if p exceeds {@code level}.
   */
  double halfWidth(double level) {
    double least = Double.POSITIVE_INFINITY;
    for (Contrast contrast : contrasts) {
      // A p-value, which shows whether this one is smaller, takes a tenth of the time.
      if (least == Double.POSITIVE_INFINITY || contrast.p(least) <= level) {
        least = Math.min(least, contrast.halfWidth(level));
      }
    }
    return least;
  }

  /** Returns the difference that is tested or the one that is shown, whichever is smaller. */
  public double least() {
    return Math.abs(difference) < Math.abs(shown) ? difference : shown;
  }

  /** Returns whether the interval is within a factor of {@code margin} around 1. */
  boolean within(double margin, double level) {
    double room = Math.log(margin) - Math.abs(difference);
    return room > 0
        && Math.abs(shown) < Math.log(margin)
        && contrasts.stream().anyMatch(contrast -> contrast.p(room) <= level);
  }

  PairInference reversed() {
    return new PairInference(-difference, blocks, basis, contrasts, -shown);
  }

  /** Returns the inference with the same noise about another difference. */
  PairInference about(double other) {
    return same(other) ? this : new PairInference(other, blocks, basis, contrasts);
  }

  /** Returns the inference with the difference that is shown. */
  public PairInference showing(double all) {
    return same(all) ? this : new PairInference(difference, blocks, basis, contrasts, all);
  }

  /** Returns whether only rounding distinguishes {@code other} from what is tested and shown. */
  private boolean same(double other) {
    return shown == difference && Math.abs(other - difference) < ROUNDING;
  }

  /**
   * Returns the first value divided by the second, with the interval at {@code level}, which
   * reaches to the ratio that is shown.
   */
  public Ratio ratio(double level) {
    double half = halfWidth(level);
    return new Ratio(
        Math.exp(shown),
        Math.exp(Math.min(difference - half, shown)),
        Math.exp(Math.max(difference + half, shown)),
        1 - level);
  }

  /** Returns the probability that {@code more} blocks settle the comparison. */
  double chance(double margin, double level, int more) {
    double times = 1 + (double) more / blocks;
    return contrasts.stream()
        .mapToDouble(contrast -> contrast.chance(difference, level, Math.log(margin), times))
        .max()
        .orElseThrow();
  }

  /** Returns the number of blocks that settle it if the difference stays, up to {@code most}. */
  int blocksToSettle(double margin, double level, int most) {
    double half = Math.max(Math.abs(difference), Math.log(margin) - Math.abs(difference));
    int n = blocks;
    while (n < most && after((double) n / blocks).halfWidth(level) > half) {
      n += 1 + n / 20;
    }
    return Math.min(n, most);
  }

  private PairInference after(double times) {
    return new PairInference(
        difference,
        blocks,
        basis,
        contrasts.stream().map(contrast -> contrast.after(times)).toList());
  }

  /** Returns the smallest ratio above 1 that a share {@code power} of all tables detects. */
  public double detectable(double level, double power) {
    return Math.exp(smallest(contrast -> contrast.detectable(level, power)));
  }

  private double smallest(ToDoubleFunction<Contrast> value) {
    return contrasts.stream().mapToDouble(value).min().orElseThrow();
  }

  /**
   * Returns the test of the same difference whose variance is larger by {@code variance}, which was
   * estimated with {@code degrees} of freedom.
   *
   * @param weight the share of the level that it has
   */
  public PairInference widened(double variance, double degrees, double weight) {
    return new PairInference(
        difference,
        blocks,
        basis,
        contrasts.stream()
            .map(
                contrast -> {
                  double own = contrast.error() * contrast.error();
                  return new Contrast(
                      Math.sqrt(own + variance),
                      satterthwaite(own, contrast.degrees(), variance, degrees),
                      contrast.weight() * weight,
                      contrast.speeds());
                })
            .toList(),
        shown);
  }

  /**
   * Returns the degrees of freedom of a sum of two variances (F. E. Satterthwaite, Biometrics
   * Bulletin 2, 1946).
   */
  public static double satterthwaite(
      double first, double firstDegrees, double second, double secondDegrees) {
    double sum = first + second;
    double squares = first * first / firstDegrees + second * second / secondDegrees;
    return squares == 0 ? MOST_DEGREES : Math.min(MOST_DEGREES, sum * sum / squares);
  }
}
