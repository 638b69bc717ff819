package kvrank.stats;

import java.util.Optional;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Two medians compared on the logarithmic scale, as independent samples whose spreads may differ.
 *
 * <p>B. L. Welch, "The generalization of Student's problem when several different population
 * variances are involved", Biometrika 34, 1947, with the variance of the median in place of that of
 * the mean.
 *
 * @param ratio the first value divided by the second
 * @param error the standard error of the logarithm of the ratio
 * @param degrees the degrees of freedom of Welch and Satterthwaite
 */
record WelchTest(double ratio, double error, double degrees) {

  /** The comparison; empty if one of the two has no interval. */
  static Optional<WelchTest> of(Estimate first, Estimate second) {
    if (!first.hasInterval() || !second.hasInterval()) {
      return Optional.empty();
    }
    double one = first.logVariance();
    double other = second.logVariance();
    double sum = one + other;
    double degrees = sum * sum / (one * one / first.degrees() + other * other / second.degrees());
    return Optional.of(new WelchTest(first.value() / second.value(), Math.sqrt(sum), degrees));
  }

  /** How probable a ratio at least as far from 1 would be if the two were equal. */
  double p() {
    double t = Math.abs(Math.log(ratio)) / error;
    return 2 * new TDistribution(null, degrees).cumulativeProbability(-t);
  }

  /** The ratio with its interval. It includes 1 just if {@link #p} is above 1 − confidence. */
  Ratio ratio(double confidence) {
    double quantile =
        -new TDistribution(null, degrees).inverseCumulativeProbability((1 - confidence) / 2);
    double factor = Math.exp(quantile * error);
    return new Ratio(ratio, ratio / factor, ratio * factor, confidence);
  }
}
