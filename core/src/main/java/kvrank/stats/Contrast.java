package kvrank.stats;

import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * One t-test of a difference of logarithms.
 *
 * @param error the standard error of the difference
 * @param degrees the degrees of freedom of that error
 * @param weight the share of the level that this test has, where several are made of one difference
 */
record Contrast(double error, double degrees, double weight) {

  /** How probable a difference at least as large would be if there were none, over the weight. */
  double p(double difference) {
    double tail = distribution().cumulativeProbability(-Math.abs(difference) / error);
    return Math.min(1, 2 * tail / weight);
  }

  /**
   * Half the width of the interval that leaves out no difference whose p-value is at most level.
   */
  double halfWidth(double level) {
    return -distribution().inverseCumulativeProbability(level * weight / 2) * error;
  }

  /**
   * The difference that is found at {@code level} with a probability of {@code power}, about: by
   * the approximation to the noncentral t distribution of N. L. Johnson and B. L. Welch (Biometrika
   * 31, 1940).
   */
  double detectable(double level, double power) {
    double t = halfWidth(level) / error;
    double z = new NormalDistribution(null, 0, 1).inverseCumulativeProbability(power);
    return error * (t * (1 - 1 / (4 * degrees)) + z * Math.sqrt(1 + t * t / (2 * degrees)));
  }

  private TDistribution distribution() {
    return new TDistribution(null, degrees);
  }
}
