package kvrank.capture;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.EigenDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;
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

  /** The fewest expected keys in a class for the chi-squared statistic. */
  static final double LEAST_EXPECTED = 5;

  /** The least variance of a number of keys, as a share of Poisson's. */
  private static final double LEAST_VARIANCE = 0.05;

  private final double accesses;

  /** The highest count in each class; the first class has only 0. */
  private final long[] highest;

  private final double[] observed;

  /** {@code keys} keys, each of which receives an access with this probability. */
  record Popular(double keys, double probability) {}

  /**
   * How well a model fits.
   *
   * @param statistic chi-squared: the squared differences of the numbers of keys, in the units of
   *     their covariance under the model
   * @param freedom its degrees of freedom
   */
  record Fit(double statistic, int freedom) {

    /** A model whose data are less likely than this is refused. */
    static final double LEAST_PROBABILITY = 0.01;

    /** Returns the probability of a statistic of this size or more if the model is true. */
    double probability() {
      return Gamma.regularizedGammaQ(freedom / 2.0, statistic / 2);
    }

    boolean good() {
      return probability() >= LEAST_PROBABILITY;
    }

    @Override
    public String toString() {
      return "chi-squared %.1f at %d degrees of freedom, p %s"
          .formatted(
              statistic,
              freedom,
              probability() < 1e-4 ? "< 0.0001" : "= %.4f".formatted(probability()));
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
      double[] shares = shares(popular);
      for (int i = 0; i < shares.length; i++) {
        expected[i] += popular.keys() * shares[i];
      }
    }
    return expected;
  }

  /** Returns the probability of each class for a key. */
  private double[] shares(Popular popular) {
    double[] shares = new double[highest.length];
    double mean = accesses * popular.probability();
    double below = 0;
    for (int i = 0; i < highest.length && below < 1; i++) {
      double reached = atMost(highest[i], mean);
      shares[i] = reached - below;
      below = reached;
    }
    return shares;
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

  /**
   * Returns the covariances of the numbers of keys of the classes.
   *
   * @param groups the group of each class, from 0
   */
  private RealMatrix covariances(List<Popular> model, int[] groups) {
    int count = 1 + Arrays.stream(groups).max().orElse(0);
    RealMatrix covariances = new Array2DRowRealMatrix(count, count);
    for (Popular popular : model) {
      double[] shares = new double[count];
      double[] ofClasses = shares(popular);
      for (int i = 0; i < groups.length; i++) {
        shares[groups[i]] += ofClasses[i];
      }
      for (int i = 0; i < count; i++) {
        covariances.addToEntry(i, i, popular.keys() * shares[i]);
        for (int k = 0; k < count && shares[i] > 0; k++) {
          covariances.addToEntry(i, k, -popular.keys() * shares[i] * shares[k]);
        }
      }
    }
    return covariances;
  }

  /** Returns the fit of a model with {@code parameters} fitted parameters. */
  Fit fit(List<Popular> model, int parameters) {
    double[] expected = expected(model);
    int[] groups = new int[expected.length];
    double[] means = new double[expected.length];
    double[] differences = new double[expected.length];
    int group = 0;
    for (int i = expected.length - 1; i >= 0; i--) {
      groups[i] = group;
      means[group] += expected[i];
      differences[group] += observed[i] - expected[i];
      group += means[group] >= LEAST_EXPECTED && i > 0 ? 1 : 0;
    }
    // In units of the standard deviations of Poisson's numbers. What varies less than those is seen
    // in the eigenvalues.
    RealMatrix covariances = covariances(model, groups);
    int count = covariances.getRowDimension();
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < count; k++) {
        covariances.multiplyEntry(i, k, 1 / Math.sqrt(means[i] * means[k]));
      }
    }
    EigenDecomposition parts = new EigenDecomposition(covariances);
    double statistic = 0;
    for (int part = 0; part < count; part++) {
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += parts.getEigenvector(part).getEntry(i) * differences[i] / Math.sqrt(means[i]);
      }
      statistic += sum * sum / Math.max(LEAST_VARIANCE, parts.getRealEigenvalue(part));
    }
    return new Fit(statistic, Math.max(1, count - 1 - parameters));
  }

  /**
   * Returns the standard deviation of the number that a model was fitted by, from the slopes of the
   * expected numbers of keys and their covariances (the "sandwich" of White, 1982).
   */
  double deviation(DoubleFunction<List<Popular>> model, double at) {
    double step = 1e-3;
    double[] expected = expected(model.apply(at));
    double[] above = expected(model.apply(at + step));
    RealVector slopes = new ArrayRealVector(expected.length);
    double information = 0;
    for (int i = 0; i < expected.length; i++) {
      double slope = (above[i] - expected[i]) / step / Math.max(expected[i], 1e-9);
      slopes.setEntry(i, slope);
      information += expected[i] * slope * slope;
    }
    RealMatrix covariances =
        covariances(model.apply(at), IntStream.range(0, expected.length).toArray());
    return Math.sqrt(covariances.preMultiply(slopes).dotProduct(slopes)) / information;
  }
}
