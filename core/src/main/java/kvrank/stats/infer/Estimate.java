package kvrank.stats.infer;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * The estimate of one value from its repetitions. The sample is the repetition, never the
 * operation.
 *
 * <p>The interval is Student's on the logarithms: value ×/÷ exp(t·s/√n), where s is the standard
 * deviation of the logarithms of n repetitions. With several executions their estimates are the
 * sample, since repetitions of one tell nothing about another.
 *
 * @param values the values of the repetitions, sorted
 * @param value the geometric mean, see {@link PairwiseComparisons#values}; of counts the median
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

  /** Equal samples whose estimate differs by less are their value. */
  private static final double ROUNDING = 1e-9;

  /** By degrees of freedom. Computing one takes longer than everything else here. */
  private static final Map<Integer, Double> QUANTILES = new ConcurrentHashMap<>();

  /**
   * Returns the geometric mean of one execution's repetitions and its interval. There is no
   * interval for fewer than {@link #FEWEST} repetitions.
   *
   * @param samples all positive
   * @throws IllegalArgumentException if there is no sample
   */
  public static Estimate of(Collection<Double> samples) {
    double[] logs = logs(samples);
    return around(Math.exp(BlockAnalysis.mean(logs)), samples, logs);
  }

  /**
   * Returns {@code value} with the interval that its executions give, or the samples of the only
   * one. There is no interval for two executions.
   *
   * @param samples all positive
   * @param executions the logarithm of the estimate in each
   */
  public static Estimate of(double value, Collection<Double> samples, double[] executions) {
    return executions.length == 1
        ? around(value, samples, logs(samples))
        : around(value, samples, executions);
  }

  private static double[] logs(Collection<Double> samples) {
    return samples.stream().mapToDouble(Math::log).toArray();
  }

  /** Returns {@code value} with an interval from the noise of {@code logs}. */
  private static Estimate around(double value, Collection<Double> samples, double[] logs) {
    List<Double> sorted = ofCounts(samples).values();
    double variance =
        Math.max(BlockAnalysis.squares(logs) / (logs.length - 1), BlockAnalysis.RESOLUTION);
    double factor =
        logs.length < FEWEST
            ? Double.NaN
            : Math.exp(student(logs.length - 1) * Math.sqrt(variance / logs.length));
    double first = sorted.get(0);
    boolean exact =
        first == sorted.get(sorted.size() - 1) && Math.abs(value / first - 1) < ROUNDING;
    double shown = exact ? first : value;
    return new Estimate(sorted, shown, shown / factor, shown * factor);
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
    while (n < MOST_NEEDED && student(n - 1) * noise / Math.sqrt(n) > Math.log1p(share)) {
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
    return QUANTILES.computeIfAbsent(degrees, Estimate::quantile);
  }

  private static double quantile(int degrees) {
    return new TDistribution(null, degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
  }
}
