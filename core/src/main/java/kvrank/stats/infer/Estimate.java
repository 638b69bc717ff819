package kvrank.stats.infer;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The estimate of one value from its repetitions. The sample is the repetition, never the
 * operation.
 *
 * <p>The interval is Student's on the logarithms, around the median: median ×/÷ exp(t·s·√k), where
 * s is the standard deviation of the logarithms and k the variance of the median of as many
 * standard normal values. {@code docs/explanation/method.md} gives the reasons. With several
 * executions their means are the sample, since repetitions of one tell nothing about another.
 *
 * @param values the values of the repetitions, sorted
 * @param value the median
 * @param low the lower end of the 95 % interval; NaN like {@code high} without an interval
 */
public record Estimate(List<Double> values, double value, double low, double high) {

  /** The confidence of intervals and verdicts unless stated otherwise. */
  public static final double CONFIDENCE = 0.95;

  /**
   * The fewest repetitions, or executions, with an interval. The spread of two has one degree of
   * freedom, and an interval would be too wide to separate anything.
   */
  public static final int FEWEST = 3;

  /** The largest number of repetitions that is reported as needed. */
  public static final int MOST_NEEDED = 1000;

  private static final List<Double> MEDIAN_VARIANCES =
      List.of(
          1.0, 0.5, 0.448671, 0.298396, 0.286834, 0.215178, 0.210447, 0.168869, 0.166101, 0.139273,
          0.137162, 0.118723, 0.116799, 0.103636, 0.101695, 0.092105, 0.090047, 0.08302, 0.080791,
          0.07569);

  /** For 1, 2, 3 … degrees of freedom. Computing one takes longer than everything else here. */
  private static final List<Double> QUANTILES =
      IntStream.rangeClosed(1, 20).mapToObj(Estimate::quantile).toList();

  /**
   * Returns the median of one execution's repetitions and its interval. There is no interval for
   * fewer than {@link #FEWEST} repetitions or values that are not all positive.
   *
   * @throws IllegalArgumentException if there is no sample
   */
  public static Estimate of(Collection<Double> samples) {
    return of(samples, samples.stream().mapToDouble(Math::log).toArray());
  }

  /**
   * Returns the median of {@code samples} and its interval. There is no interval for two
   * executions.
   */
  public static Estimate of(SortedMap<RepetitionBlock, Double> samples) {
    Map<Integer, Double> executions =
        samples.entrySet().stream()
            .collect(
                Collectors.groupingBy(
                    sample -> sample.getKey().execution(),
                    TreeMap::new,
                    Collectors.averagingDouble(sample -> Math.log(sample.getValue()))));
    return executions.size() == 1
        ? of(samples.values())
        : of(
            samples.values(),
            executions.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Returns the median of {@code samples}, with an interval from the noise of {@code logs}. */
  private static Estimate of(Collection<Double> samples, double[] logs) {
    Estimate count = ofCounts(samples);
    if (logs.length < FEWEST || !Arrays.stream(logs).allMatch(Double::isFinite)) {
      return count;
    }
    double variance =
        Math.max(BlockAnalysis.squares(logs) / (logs.length - 1), BlockAnalysis.RESOLUTION)
            * medianVariance(logs.length);
    double factor = Math.exp(student(logs.length - 1) * Math.sqrt(variance));
    return new Estimate(count.values, count.value, count.value / factor, count.value * factor);
  }

  /** Returns the median of counts, for example of errors, which have no interval. */
  public static Estimate ofCounts(Collection<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no sample");
    }
    List<Double> sorted = samples.stream().sorted().toList();
    int n = sorted.size();
    double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    return new Estimate(sorted, median, Double.NaN, Double.NaN);
  }

  /**
   * Returns the number of repetitions, up to {@link #MOST_NEEDED}, whose interval reaches at most
   * {@code share} of the value to each side, if their logarithms have the standard deviation {@code
   * noise}.
   */
  public static int needed(double share, double noise) {
    int n = FEWEST;
    while (n < MOST_NEEDED
        && student(n - 1) * noise * Math.sqrt(medianVariance(n)) > Math.log1p(share)) {
      n++;
    }
    return n;
  }

  public long samples() {
    return values.size();
  }

  public double smallest() {
    return values.get(0);
  }

  public double largest() {
    return values.get(values.size() - 1);
  }

  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }

  private static double student(int degrees) {
    return degrees <= QUANTILES.size() ? QUANTILES.get(degrees - 1) : quantile(degrees);
  }

  private static double quantile(int degrees) {
    return new TDistribution(null, degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
  }

  /**
   * Returns the variance of the median of n independent standard normal values. Up to 20 it is from
   * numerical integration of the median's density (T. Hojo, "Distribution of the median, quartiles
   * and interquartile distance in samples from a normal population", Biometrika 23, 1931, has four
   * digits). Beyond that it is the limit π/(2n), at most 2 % too large.
   */
  static double medianVariance(int n) {
    return n <= MEDIAN_VARIANCES.size() ? MEDIAN_VARIANCES.get(n - 1) : Math.PI / 2 / n;
  }
}
