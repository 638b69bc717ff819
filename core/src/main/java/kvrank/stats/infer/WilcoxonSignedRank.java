package kvrank.stats.infer;

import java.util.Arrays;
import org.apache.commons.math3.stat.ranking.NaturalRanking;

/**
 * Wilcoxon's signed-rank test of paired values, exact and two-sided.
 *
 * <p>F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945, in the
 * form of J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of
 * Machine Learning Research 7, 2006: equal differences share the mean of their ranks, and the ranks
 * of zero differences are divided evenly between both sums. The p-value is over all assignments of
 * signs to the ranks.
 *
 * @param different the number of pairs that differ
 * @param plus the sum of the ranks of pairs whose first value is larger
 * @param minus the sum of the ranks of pairs whose second value is larger
 */
public record WilcoxonSignedRank(int pairs, int different, double plus, double minus, double p) {

  public static WilcoxonSignedRank of(double[] first, double[] second) {
    double[] sizes = new double[first.length];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = Math.abs(first[i] - second[i]);
    }
    int[] ranks = doubledRanks(sizes);
    int plus = 0;
    int minus = 0;
    int different = 0;
    for (int i = 0; i < ranks.length; i++) {
      if (sizes[i] == 0) {
        ranks[i] = 0;
        continue;
      }
      different++;
      if (first[i] > second[i]) {
        plus += ranks[i];
      } else {
        minus += ranks[i];
      }
    }
    double zeros = (first.length * (first.length + 1.0) - plus - minus) / 4;
    return new WilcoxonSignedRank(
        first.length,
        different,
        plus / 2.0 + zeros,
        minus / 2.0 + zeros,
        p(ranks, Math.min(plus, minus), plus + minus));
  }

  /** Returns twice the ranks, which are whole numbers; the smallest value has rank 1. */
  static int[] doubledRanks(double[] values) {
    return Arrays.stream(new NaturalRanking().rank(values)).mapToInt(r -> (int) (2 * r)).toArray();
  }

  /** Returns the smallest possible p-value of {@code pairs} pairs. */
  public static double smallestP(int pairs) {
    return Math.min(1, Math.pow(2, 1.0 - pairs));
  }

  /** Returns twice the probability that the positive ranks sum up to at most {@code smaller}. */
  private static double p(int[] ranks, int smaller, int total) {
    double[] probability = new double[total + 1];
    probability[0] = 1;
    int reached = 0;
    for (int rank : ranks) {
      if (rank > 0) {
        reached += rank;
        for (int sum = reached; sum >= 0; sum--) {
          double without = probability[sum];
          double with = sum >= rank ? probability[sum - rank] : 0;
          probability[sum] = (without + with) / 2;
        }
      }
    }
    double tail = 0;
    for (int sum = 0; sum <= smaller; sum++) {
      tail += probability[sum];
    }
    return Math.min(1, 2 * tail);
  }
}
