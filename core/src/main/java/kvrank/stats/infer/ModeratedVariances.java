package kvrank.stats.infer;

import java.util.Arrays;
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

  /** Returns the degrees of freedom of the residuals of all engines. */
  double allOwnDegrees() {
    return Arrays.stream(ownDegrees).sum();
  }

  /** Returns the degrees of freedom, including those that the other engines add. */
  double degrees(int engine) {
    return degrees[engine];
  }

  /** Returns {@code own} as they are. */
  static ModeratedVariances unsteadied(double[] own, double[] degrees) {
    return new ModeratedVariances(own, degrees, degrees);
  }

  /** Returns the logarithms of {@code own} variances, without the bias of few values. */
  static double[] logs(double[] own, double[] degrees) {
    double[] logs = new double[own.length];
    for (int e = 0; e < logs.length; e++) {
      logs[e] = Math.log(own[e]) - Gamma.digamma(degrees[e] / 2) + Math.log(degrees[e] / 2);
    }
    return logs;
  }

  /**
   * Moderates {@code own} variances, which have {@code degrees} degrees of freedom.
   *
   * @param noisier how much noisier an engine is supposed to be, in the logarithm of the variance
   * @param alike whether all engines have the same noise, so that none has less than the mean
   */
  static ModeratedVariances of(double[] own, double[] degrees, double[] noisier, boolean alike) {
    int m = own.length;
    double[] logs = logs(own, degrees);
    double chance = 0; // the variance of log variances that chance adds
    for (int e = 0; e < m; e++) {
      chance += Gamma.trigamma(degrees[e] / 2) / m;
    }
    double spread =
        (BlockAnalysis.squares(logs) + PRIOR_ENGINES * (PRIOR_SPREAD + chance))
                / (m - 1 + PRIOR_ENGINES)
            - chance;
    double added = spread <= 0 ? MOST_DEGREES : Math.min(MOST_DEGREES, 2 * inverseTrigamma(spread));
    double typical =
        Math.exp(BlockAnalysis.mean(logs) + Gamma.digamma(added / 2) - Math.log(added / 2));
    double least = 0;
    for (int e = 0; alike && e < m; e++) {
      least += degrees[e] * own[e];
    }
    least /= Arrays.stream(degrees).sum();
    double[] values = new double[m];
    double[] total = new double[m];
    for (int e = 0; e < m; e++) {
      total[e] = degrees[e] + added;
      double supposed = typical * Math.exp(noisier[e]);
      double steadied = (added * supposed + degrees[e] * own[e]) / total[e];
      values[e] = Math.max(Math.max(own[e], steadied), least);
    }
    return new ModeratedVariances(values, degrees, total);
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
