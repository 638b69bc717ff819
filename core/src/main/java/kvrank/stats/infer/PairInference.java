package kvrank.stats.infer;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The statistical inference about two engines: whether their values differ, by how much, and which
 * difference could have been found.
 *
 * @param difference the mean logarithm of the first less that of the second
 * @param blocks how many blocks they share, or how many values the one with fewer has
 * @param contrasts the tests of the difference, whose weights add up to 1
 */
public record PairInference(double difference, int blocks, Basis basis, List<Contrast> contrasts) {

  public enum Basis {
    /** Repetitions of one execution that both have. What executions differ by is not in it. */
    REPETITIONS,
    /** The means of executions that both are in. */
    EXECUTIONS,
    /** Values that have no block in common. */
    INDEPENDENT
  }

  /**
   * One t-test of a difference of logarithms, with its standard error and the degrees of freedom of
   * that; the weight is the share of the level that this test has, where several are made.
   */
  public record Contrast(double error, double degrees, double weight) {

    /** How probable a difference at least as large would be if there were none, over the weight. */
    public double p(double difference) {
      double tail = distribution().cumulativeProbability(-Math.abs(difference) / error);
      return Math.min(1, 2 * tail / weight);
    }

    /** Half the width of the interval: it leaves out no difference with a p-value up to level. */
    double halfWidth(double level) {
      return -distribution().inverseCumulativeProbability(level * weight / 2) * error;
    }

    /**
     * The difference that is found at {@code level} with a probability of {@code power}, about: by
     * the approximation to the noncentral t distribution of N. L. Johnson and B. L. Welch
     * (Biometrika 31, 1940).
     */
    double detectable(double level, double power) {
      double t = halfWidth(level) / error;
      double z = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(power);
      return error * (t * (1 - 1 / (4 * degrees)) + z * Math.sqrt(1 + t * t / (2 * degrees)));
    }

    /** The same with the noise that was seen, when there are {@code times} as many blocks. */
    private Contrast after(double times) {
      return new Contrast(error / Math.sqrt(times), degrees * times, weight);
    }

    /**
     * How probable it is that {@code times} as many blocks separate at {@code level} engines which
     * are so far apart now, or show them to be within {@code margin}: the predictive power of D. J.
     * Spiegelhalter, L. S. Freedman and P. R. Blackburn ("Monitoring clinical trials: conditional
     * or predictive power?", Controlled Clinical Trials 7, 1986).
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

  /** How probable a difference as large as this would be, at most, if there were none. */
  public double p() {
    return smallest(contrast -> contrast.p(difference));
  }

  /** Half the width of the interval of the difference. It holds 0 just if p is above level. */
  double halfWidth(double level) {
    double least = Double.POSITIVE_INFINITY;
    for (Contrast contrast : contrasts) {
      // A p-value, which says whether this one is less, takes a tenth of the time.
      if (least == Double.POSITIVE_INFINITY || contrast.p(least) <= level) {
        least = Math.min(least, contrast.halfWidth(level));
      }
    }
    return least;
  }

  /** Whether the interval of {@code level} lies within a factor of {@code margin} around 1. */
  boolean within(double margin, double level) {
    double room = Math.log(margin) - Math.abs(difference);
    return room > 0 && contrasts.stream().anyMatch(contrast -> contrast.p(room) <= level);
  }

  PairInference reversed() {
    return new PairInference(-difference, blocks, basis, contrasts);
  }

  /** The first value divided by the second, with the interval of {@code level}. */
  public Ratio ratio(double level) {
    double half = halfWidth(level);
    return new Ratio(
        Math.exp(difference), Math.exp(difference - half), Math.exp(difference + half), 1 - level);
  }

  /** How probable it is that {@code more} blocks separate the two or show them to be near. */
  double chance(double margin, double level, int more) {
    double times = 1 + (double) more / blocks;
    return contrasts.stream()
        .mapToDouble(contrast -> contrast.chance(difference, level, Math.log(margin), times))
        .max()
        .orElseThrow();
  }

  /** How many blocks settle it if the difference stays as it is, up to {@code most}. */
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

  /** The smallest ratio above 1 that is found at {@code level} in {@code power} of all tables. */
  public double detectable(double level, double power) {
    return Math.exp(smallest(contrast -> contrast.detectable(level, power)));
  }

  private double smallest(ToDoubleFunction<Contrast> value) {
    return contrasts.stream().mapToDouble(value).min().orElseThrow();
  }
}
