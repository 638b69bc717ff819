package kvrank.stats.infer;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.distribution.FDistribution;
import org.apache.commons.math3.util.CombinatoricsUtils;

/**
 * Friedman's test: whether several engines have the same mean rank over several workloads.
 *
 * <p>M. Friedman, "The use of ranks to avoid the assumption of normality", Journal of the American
 * Statistical Association 32, 1937. The p-value is exact, over all orders of the ranks in each
 * workload, if these can be counted; otherwise it is from the F distribution by R. L. Iman and J.
 * M. Davenport, "Approximations of the critical region of the Friedman statistic", Communications
 * in Statistics 9, 1980. Notation as in J. Demšar, Journal of Machine Learning Research 7, 2006.
 *
 * @param meanRanks the mean rank of each engine, 1 for the smallest value
 * @param chiSquared Friedman's statistic, without correction for ties, which is conservative
 * @param f the statistic of Iman and Davenport, infinite if all workloads agree
 */
public record Friedman(
    int workloads, List<Double> meanRanks, double chiSquared, double f, double p, boolean exact) {

  /** The most sums of ranks, and the most engines, for an exact p-value. */
  private static final int STATES = 20_000;

  private static final int ENGINES = 5;

  /**
   * Returns the test of {@code blocks}, one per workload with a value of each engine.
   *
   * @throws IllegalArgumentException for fewer than 2 workloads or engines
   */
  public static Friedman of(List<double[]> blocks) {
    int n = blocks.size();
    int k = blocks.isEmpty() ? 0 : blocks.get(0).length;
    if (n < 2 || k < 2) {
      throw new IllegalArgumentException("%d workloads, %d engines".formatted(n, k));
    }
    List<int[]> ranks = blocks.stream().map(WilcoxonSignedRank::doubledRanks).toList();
    int[] sums = new int[k];
    for (int[] block : ranks) {
      Arrays.setAll(sums, i -> sums[i] + block[i]);
    }
    List<Double> means = Arrays.stream(sums).mapToObj(sum -> sum / 2.0 / n).toList();
    double squares = means.stream().mapToDouble(mean -> mean * mean).sum();
    double chiSquared = 12.0 * n / (k * (k + 1)) * (squares - k * (k + 1) * (k + 1) / 4.0);
    double rest = n * (k - 1.0) - chiSquared;
    double f = rest <= 1e-9 ? Double.POSITIVE_INFINITY : (n - 1) * chiSquared / rest;
    double exact = exact(ranks, squares(sums));
    return new Friedman(
        n,
        means,
        chiSquared,
        f,
        Double.isNaN(exact) ? approximate(f, n, k) : exact,
        !Double.isNaN(exact));
  }

  /** Returns at least the smallest possible p-value, which is for all workloads agreeing. */
  private static double approximate(double f, int n, int k) {
    double smallest = Math.exp((1 - n) * CombinatoricsUtils.factorialLog(k));
    return Double.isInfinite(f)
        ? smallest
        : Math.max(
            smallest,
            1 - new FDistribution(null, k - 1.0, (k - 1.0) * (n - 1)).cumulativeProbability(f));
  }

  /** Returns the probability of sums as far apart as {@code observed}; NaN for too many sums. */
  private static double exact(List<int[]> ranks, long observed) {
    int k = ranks.get(0).length;
    if (k > ENGINES) {
      return Double.NaN;
    }
    List<int[]> orders = new ArrayList<>();
    orders(new int[k], 0, new boolean[k], orders);
    // Engines are exchangeable if none is better, so only the sizes of the sums count.
    Map<IntBuffer, Double> states = Map.of(IntBuffer.allocate(k), 1.0);
    for (int[] block : ranks) {
      Map<IntBuffer, Double> next = new LinkedHashMap<>();
      states.forEach(
          (sums, probability) -> {
            for (int[] order : orders) {
              int[] reached = sums.array().clone();
              for (int i = 0; i < k; i++) {
                reached[i] += block[order[i]];
              }
              Arrays.sort(reached);
              next.merge(IntBuffer.wrap(reached), probability / orders.size(), Double::sum);
            }
          });
      states = next;
      if (states.size() > STATES) {
        return Double.NaN;
      }
    }
    double p = 0;
    for (Map.Entry<IntBuffer, Double> state : states.entrySet()) {
      if (squares(state.getKey().array()) >= observed) {
        p += state.getValue();
      }
    }
    return Math.min(1, p);
  }

  /** Adds every order of the engines that begins with the first {@code place} of {@code order}. */
  private static void orders(int[] order, int place, boolean[] taken, List<int[]> orders) {
    if (place == order.length) {
      orders.add(order.clone());
      return;
    }
    for (int i = 0; i < order.length; i++) {
      if (!taken[i]) {
        taken[i] = true;
        order[place] = i;
        orders(order, place + 1, taken, orders);
        taken[i] = false;
      }
    }
  }

  private static long squares(int[] sums) {
    return Arrays.stream(sums).mapToLong(sum -> (long) sum * sum).sum();
  }
}
