package kvrank.worker.phase;

import java.util.Arrays;
import kvrank.fact.YesNo;

/**
 * Whether throughput kept its level over the measured time.
 *
 * <p>A phase is not steady if the throughput of its last third differs from that of its first, or
 * that of its middle third from both, by over 10 % <em>and</em> significantly: each contrast is a
 * two-sided t-test at 2 %, 4 % together. A difference may be noise, and in a long quiet run even 1
 * % is significant. It is steady only if the 98 % intervals of both lie within 10 %, which is
 * kvrank's rule for "equal"; otherwise its windows are too few or too noisy to tell.
 *
 * <p>Neighbouring windows are correlated, so the tests use the number of independent windows that
 * these are worth: noise is autoregressive of first order, with the correlation of the residuals
 * after means and common slope of the thirds, corrected for the bias of short series (after
 * Marriott and Pope, Biometrika 41, 1954). {@code SteadyStateTest} checks the level.
 *
 * @param drift throughput of the last third over that of the first, or of the middle third over
 *     both if only that differs; 1 for none; NaN if unknown
 */
record SteadyState(YesNo verdict, double drift) {

  /** Fewest windows for a verdict. */
  static final int FEWEST = 30;

  private static final double TOLERATED = 0.1;

  /** The 99 % quantiles of Student's t for one to four degrees of freedom. */
  private static final double[] FEW_DEGREES = {31.821, 6.965, 4.541, 3.747};

  /** Returns the verdict on the counts of windows of equal length. */
  static SteadyState of(long[] counts) {
    int length = counts.length / 3;
    double[] means = new double[3];
    for (int third = 0; third < 3; third++) {
      means[third] =
          Arrays.stream(counts).skip((long) third * length).limit(length).average().orElse(0);
    }
    if (counts.length < FEWEST || means[0] == 0 || means[0] + means[2] == 0) {
      return new SteadyState(YesNo.UNKNOWN, Double.NaN);
    }
    Noise noise = Noise.of(counts, means);
    double outer = (means[0] + means[2]) / 2;
    boolean moved =
        Math.abs(means[2] / means[0] - 1) > TOLERATED && noise.exceeded(means[2] - means[0], 2);
    boolean bent =
        Math.abs(means[1] / outer - 1) > TOLERATED && noise.exceeded(means[1] - outer, 1.5);
    boolean level =
        noise.within(means[2] - means[0], 2, TOLERATED * means[0])
            && noise.within(means[1] - outer, 1.5, TOLERATED * outer);
    return new SteadyState(
        moved || bent ? YesNo.NO : level ? YesNo.YES : YesNo.UNKNOWN,
        bent && !moved ? means[1] / outer : means[2] / means[0]);
  }

  /**
   * The noise of the windows.
   *
   * @param ofMean the variance of the mean of a third
   * @param degrees the degrees of freedom of the independent windows, at least 1
   */
  private record Noise(double ofMean, double degrees) {

    static Noise of(long[] counts, double[] means) {
      int length = counts.length / 3;
      double[] rest = new double[3 * length];
      double steps = 0;
      double slope = 0;
      for (int i = 0; i < rest.length; i++) {
        rest[i] = counts[i] - means[i / length];
        double step = i % length - (length - 1) / 2.0;
        slope += rest[i] * step;
        steps += step * step;
      }
      double squares = 0;
      double products = 0;
      for (int i = 0; i < rest.length; i++) {
        rest[i] -= slope / steps * (i % length - (length - 1) / 2.0);
        squares += rest[i] * rest[i];
        products += i % length == 0 ? 0 : rest[i] * rest[i - 1];
      }
      // A mean takes 1/n of the correlation with it and the common slope a third of that; the
      // factor is from simulation, as is the bound.
      double estimate = squares == 0 ? 0 : products / squares;
      double correlation =
          Math.min(0.95, Math.max(0, (estimate + 1.33 / length) / (1 - 3.6 / length)));
      double inflation = 1;
      for (int lag = 1; lag < length; lag++) {
        inflation += 2 * (1 - (double) lag / length) * Math.pow(correlation, lag);
      }
      double variance = squares / rest.length / Math.max(0.1, 1 - 1.33 * inflation / length);
      return new Noise(
          variance * inflation / length,
          Math.max(1, rest.length * (1 - correlation) / (1 + correlation) - 4));
    }

    /**
     * Returns whether {@code contrast}, with the variance of {@code means} means, is significant.
     */
    boolean exceeded(double contrast, double means) {
      return Math.abs(contrast) > error(means);
    }

    /** Returns whether the interval of {@code contrast} lies within {@code bound} of zero. */
    boolean within(double contrast, double means, double bound) {
      return Math.abs(contrast) + error(means) <= bound;
    }

    private double error(double means) {
      return quantile(degrees) * Math.sqrt(means * ofMean);
    }

    /** The 99 % quantile of Student's t (Abramowitz and Stegun, 26.7.5). */
    private static double quantile(double degrees) {
      if (degrees < 5) {
        return FEW_DEGREES[(int) degrees - 1];
      }
      double z = 2.326348;
      double z3 = z * z * z;
      return z
          + (z3 + z) / (4 * degrees)
          + (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * degrees * degrees);
    }
  }
}
