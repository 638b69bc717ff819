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
 * What the repetitions say of one value. The sample is the repetition, never the operation.
 *
 * <p>The interval is Student's on the logarithms, around the median: median ×/÷ exp(t·s·√k), where
 * s is the standard deviation of the logarithms and k the variance of the median of as many
 * standard normal values. {@code docs/explanation/method.md} says why. Of several executions the
 * sample is their means, as repetitions of one say nothing of another.
 *
 * @param values the values of the repetitions, sorted
 * @param value their median; the 95 % interval around it is NaN if the values cannot carry one
 */
public record Estimate(List<Double> values, double value, double low, double high) {

  /** How sure an interval or a verdict is, where nothing else is said. */
  public static final double CONFIDENCE = 0.95;

  /**
   * The fewest repetitions that carry an interval. With two the spread has one degree of freedom:
   * an interval would be so wide that nothing is separated, which says nothing of the engines. The
   * same holds for executions.
   */
  public static final int FEWEST = 3;

  /** The largest number of repetitions that is named as needed. */
  public static final int MOST_NEEDED = 1000;

  /** Latency histograms keep three digits: no spread is taken to be smaller than that. */
  private static final double RESOLUTION = 0.001;

  private static final List<Double> MEDIAN_VARIANCES =
      List.of(
          1.0, 0.5, 0.448671, 0.298396, 0.286834, 0.215178, 0.210447, 0.168869, 0.166101, 0.139273,
          0.137162, 0.118723, 0.116799, 0.103636, 0.101695, 0.092105, 0.090047, 0.08302, 0.080791,
          0.07569);

  /** Of 1, 2, 3 … degrees of freedom: to find one takes longer than all else here. */
  private static final List<Double> QUANTILES =
      IntStream.rangeClosed(1, 20).mapToObj(Estimate::quantile).toList();

  /**
   * The median of {@code samples}, the repetitions of one execution, and its interval. There is
   * none for fewer than {@link #FEWEST} repetitions, and for values that are not all positive.
   *
   * @throws IllegalArgumentException if there is no sample
   */
  public static Estimate of(Collection<Double> samples) {
    return of(samples, samples.stream().mapToDouble(Math::log).toArray());
  }

  /**
   * The median of {@code samples} and its interval. There is none for fewer than {@link #FEWEST}
   * executions, unless there is only one.
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

  /** The median of {@code samples}, and its interval if {@code logs} have the noise. */
  private static Estimate of(Collection<Double> samples, double[] logs) {
    Estimate count = ofCounts(samples);
    if (logs.length < FEWEST || !Arrays.stream(logs).allMatch(Double::isFinite)) {
      return count;
    }
    double factor = Math.exp(student(logs.length - 1) * Math.sqrt(logVariance(logs)));
    return new Estimate(count.values, count.value, count.value / factor, count.value * factor);
  }

  /** The median of counts, for example of errors: these have no interval. */
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
   * Returns how many repetitions have an interval that reaches no further than by {@code share} of
   * the value to each side, up to {@link #MOST_NEEDED}, when the logarithms of repetitions have the
   * standard deviation {@code noise}.
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

  /** Whether there is an interval: not with one repetition or two. */
  public boolean hasInterval() {
    return !Double.isNaN(low) && !Double.isNaN(high);
  }

  private static double student(int degrees) {
    return degrees <= QUANTILES.size() ? QUANTILES.get(degrees - 1) : quantile(degrees);
  }

  /** Student's, of which the interval leaves out as much at each end. */
  private static double quantile(int degrees) {
    return new TDistribution(null, degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
  }

  /** The variance of the median of the logarithms. */
  private static double logVariance(double[] logs) {
    double mean = Arrays.stream(logs).average().orElseThrow();
    double squares = Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
    double variance = Math.max(squares / (logs.length - 1), RESOLUTION * RESOLUTION);
    return variance * medianVariance(logs.length);
  }

  /**
   * The variance of the median of n independent standard normal values; of an even n the median is
   * the mean of the middle two.
   *
   * <p>Up to 20 by numerical integration of the density of the median (T. Hojo, "Distribution of
   * the median, quartiles and interquartile distance in samples from a normal population",
   * Biometrika 23, 1931, gives them to four digits). Beyond that the limit π/(2n), which is at most
   * 2 % too large.
   */
  static double medianVariance(int n) {
    return n <= MEDIAN_VARIANCES.size() ? MEDIAN_VARIANCES.get(n - 1) : Math.PI / 2 / n;
  }
}
