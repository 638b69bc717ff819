package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.special.Gamma;

/**
 * The numbers of keys that were accessed never, once, twice and so on, in classes of increasing
 * width, compared with a model of popularity. Counts of a key have a Poisson distribution, and so,
 * nearly, has the number of keys in a class. Ranks are not used: the key with the highest count is
 * not the most popular one, so a line through the logarithms of rank and count is far too flat.
 */
final class FrequencyProfile {

  /** The ratio of the starts of two adjacent classes. */
  private static final double WIDTH = 1.25;

  /** The fewest expected keys in a class for Pearson's statistic. */
  private static final double LEAST_EXPECTED = 5;

  private final double accesses;

  /** The highest count in each class; the first class has only 0. */
  private final long[] highest;

  private final double[] observed;

  /** {@code keys} keys, each of which receives an access with this probability. */
  record Popular(double keys, double probability) {}

  /** The fit of a model: Pearson's chi-squared statistic and its degrees of freedom. */
  record Fit(double statistic, int freedom) {
    /** Returns whether the deviation could be chance, by a bound that few true models exceed. */
    boolean good() {
      return statistic < freedom + 5 * Math.sqrt(2.0 * freedom);
    }

    @Override
    public String toString() {
      return "chi-squared %.0f at %d degrees of freedom".formatted(statistic, freedom);
    }
  }

  /** A profile of {@code keys} keys, of which the accessed ones have {@code counts}. */
  FrequencyProfile(int[] counts, double keys, double accesses) {
    this.accesses = accesses;
    List<Long> ends = new ArrayList<>(List.of(0L));
    for (long end = 1; ends.get(ends.size() - 1) < Arrays.stream(counts).max().orElse(0); ) {
      ends.add(end);
      end = Math.max(end + 1, (long) (end * WIDTH));
    }
    highest = ends.stream().mapToLong(Long::longValue).toArray();
    observed = new double[highest.length];
    for (int count : counts) {
      int place = Arrays.binarySearch(highest, count);
      observed[place < 0 ? -place - 1 : place]++;
    }
    observed[0] = Math.max(0, keys - counts.length);
  }

  /** Returns the number of keys in each class that a model expects. */
  private double[] expected(List<Popular> model) {
    double[] expected = new double[highest.length];
    for (Popular popular : model) {
      double mean = accesses * popular.probability();
      double below = 0;
      for (int i = 0; i < highest.length && below < 1; i++) {
        double reached = atMost(highest[i], mean);
        expected[i] += popular.keys() * (reached - below);
        below = reached;
      }
    }
    return expected;
  }

  /** Returns the probability that a Poisson variable is at most {@code count}. */
  private static double atMost(long count, double mean) {
    double far = 8 * Math.sqrt(mean) + 12;
    if (count > mean + far) {
      return 1;
    }
    return count < mean - far ? 0 : Gamma.regularizedGammaQ(count + 1.0, mean);
  }

  /** Returns the log-likelihood of a model, up to a constant. */
  double logLikelihood(List<Popular> model) {
    return logLikelihood(model, 0);
  }

  /**
   * Returns the log-likelihood of the classes from {@code first}; 1 if the number of keys that were
   * never accessed is unknown.
   */
  double logLikelihood(List<Popular> model, int first) {
    double[] expected = expected(model);
    double sum = 0;
    for (int i = first; i < expected.length; i++) {
      double mean = Math.max(expected[i], 1e-9);
      sum += observed[i] * Math.log(mean) - mean;
    }
    return sum;
  }

  /** Returns the fit of a model with {@code parameters} fitted parameters. */
  Fit fit(List<Popular> model, int parameters) {
    double[] expected = expected(model);
    double statistic = 0;
    int classes = 0;
    double keys = 0;
    double mean = 0;
    for (int i = expected.length - 1; i >= 0; i--) {
      keys += observed[i];
      mean += expected[i];
      if (mean >= LEAST_EXPECTED || i == 0) {
        statistic += (keys - mean) * (keys - mean) / Math.max(mean, 1e-9);
        classes++;
        keys = 0;
        mean = 0;
      }
    }
    return new Fit(statistic, Math.max(1, classes - 1 - parameters));
  }
}
