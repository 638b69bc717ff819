package kvrank.stats.infer;

import java.util.Arrays;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.special.Gamma;

/**
 * Variances of a few values each, steadied by those of the other engines: an engine's variance is
 * the larger of its own and its empirical Bayes estimate (G. K. Smyth, "Linear models and empirical
 * Bayes methods for assessing differential expression in microarray experiments", Statistical
 * Applications in Genetics and Molecular Biology 3, 2004).
 *
 * <p>The larger of the two, so that a noisy engine does not borrow the quiet of the others. How
 * alike the variances of engines are is itself uncertain; a few engines may look alike by chance.
 * So {@link #PRIOR_ENGINES} engines whose log variances vary by {@link #PRIOR_SPREAD} count beside
 * those of the table.
 */
final class ModeratedVariances {

  /** The variance of log variances between engines, as in recorded executions. */
  private static final double PRIOR_SPREAD = 2;

  private static final double PRIOR_ENGINES = 6;

  private static final double MOST_DEGREES = 1e4;

  /** The logarithm of the ratio of two speeds that a machine is supposed to have at most. */
  private static final double SPEEDS = Math.log(1.25);

  private final double[] values;
  private final double[] ownDegrees;
  private final double[] degrees;

  private ModeratedVariances(double[] values, double[] ownDegrees, double[] degrees) {
    this.values = values;
    this.ownDegrees = ownDegrees;
    this.degrees = degrees;
  }

  double value(int engine) {
    return values[engine];
  }

  double ownDegrees(int engine) {
    return ownDegrees[engine];
  }

  /** Returns the degrees of freedom, including those that the other engines add. */
  double degrees(int engine) {
    return degrees[engine];
  }

  /** Moderates {@code own} variances, which have {@code degrees} degrees of freedom. */
  static ModeratedVariances of(double[] own, double[] degrees) {
    int m = own.length;
    double[] logs = new double[m];
    double chance = 0; // the variance of log variances that chance adds
    for (int e = 0; e < m; e++) {
      double half = degrees[e] / 2;
      logs[e] = Math.log(own[e]) - Gamma.digamma(half) + Math.log(half);
      chance += Gamma.trigamma(half) / m;
    }
    double spread =
        (BlockAnalysis.squares(logs) + PRIOR_ENGINES * (PRIOR_SPREAD + chance))
                / (m - 1 + PRIOR_ENGINES)
            - chance;
    double added = spread <= 0 ? MOST_DEGREES : Math.min(MOST_DEGREES, 2 * inverseTrigamma(spread));
    double typical =
        Math.exp(BlockAnalysis.mean(logs) + Gamma.digamma(added / 2) - Math.log(added / 2));
    double[] values = new double[m];
    double[] total = new double[m];
    for (int e = 0; e < m; e++) {
      total[e] = degrees[e] + added;
      values[e] = Math.max(own[e], (added * typical + degrees[e] * own[e]) / total[e]);
    }
    return new ModeratedVariances(values, degrees, total);
  }

  /**
   * Returns variances that a machine of two speeds does not make too small. If each run is fast or
   * slow by chance, all n runs of an engine have the same speed with probability 2¹⁻ⁿ, and then its
   * own spread is almost nothing. With probability m(m−1)/4ⁿ two of m engines look like that and
   * have different speeds. If that exceeds {@code coincidence}, a variance is at least the k-th
   * largest of {@code own}, where k is the largest number of engines that show both speeds except
   * for a chance of {@code coincidence}. If even the largest may show one speed, it is at least
   * that of a machine whose speeds differ by {@link #SPEEDS}.
   *
   * @param counts the number of values of each engine
   */
  ModeratedVariances guarded(double[] own, int[] counts, double coincidence) {
    double[] sorted = own.clone();
    Arrays.sort(sorted);
    int m = own.length;
    double[] guarded = values.clone();
    for (int e = 0; e < m; e++) {
      double alike = Math.pow(2, 1 - counts[e]);
      if (m * (m - 1) * alike * alike / 4 > coincidence) {
        BinomialDistribution showing = new BinomialDistribution(null, m, 1 - alike);
        int k = 0;
        while (k < m - 1 && showing.cumulativeProbability(k) <= coincidence) {
          k++;
        }
        double least = k > 0 ? sorted[m - k] : Math.max(sorted[m - 1], SPEEDS * SPEEDS / 4);
        guarded[e] = Math.max(guarded[e], least);
      }
    }
    return new ModeratedVariances(guarded, ownDegrees, degrees);
  }

  /** Returns x with ψ′(x) = {@code y}, by Newton's method on 1/ψ′ (Smyth, appendix). */
  private static double inverseTrigamma(double y) {
    double x = 0.5 + 1 / y;
    double step;
    do {
      double trigamma = Gamma.trigamma(x);
      double h = 1e-5 * x;
      double slope = (Gamma.trigamma(x + h) - Gamma.trigamma(x - h)) / (2 * h);
      step = trigamma * (1 - trigamma / y) / slope;
      x += step;
    } while (Math.abs(step) > 1e-8 * x);
    return x;
  }
}
