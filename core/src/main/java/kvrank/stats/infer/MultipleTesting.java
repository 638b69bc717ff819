package kvrank.stats.infer;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Corrections of p-values and levels for many tests at a time. */
public final class MultipleTesting {

  private MultipleTesting() {}

  /**
   * Returns the levels at which Holm's procedure tests each hypothesis; the probability of any
   * false rejection is at most {@code alpha}. Hypotheses that are not rejected have the level at
   * which the procedure stopped (S. Holm, "A simple sequentially rejective multiple test
   * procedure", Scandinavian Journal of Statistics 6, 1979).
   */
  public static double[] holmLevels(double[] p, double alpha) {
    double[] levels = new double[p.length];
    double level = 0;
    boolean stopped = false;
    int[] order = order(p);
    for (int i = 0; i < order.length; i++) {
      if (!stopped) {
        level = alpha / (p.length - i);
        stopped = p[order[i]] > level;
      }
      levels[order[i]] = level;
    }
    return levels;
  }

  /** Returns p-values with Holm's correction, to be compared with the uncorrected level. */
  public static double[] holm(double[] p) {
    double[] corrected = new double[p.length];
    double largest = 0;
    int[] order = order(p);
    for (int i = 0; i < order.length; i++) {
      largest = Math.max(largest, Math.min(1, p[order[i]] * (p.length - i)));
      corrected[order[i]] = largest;
    }
    return corrected;
  }

  /**
   * Returns the level for all hypotheses that keeps the expected share of false rejections at
   * {@code alpha} or below. Intervals of this level agree with the verdicts.
   *
   * <p>Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal
   * Statistical Society B 57, 1995; for intervals Y. Benjamini and D. Yekutieli, "False discovery
   * rate-adjusted multiple confidence intervals for selected parameters", Journal of the American
   * Statistical Association 100, 2005.
   */
  public static double falseDiscoveryLevel(double[] p, double alpha) {
    double[] sorted = p.clone();
    Arrays.sort(sorted);
    int rejected = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (sorted[i] <= alpha * (i + 1) / sorted.length) {
        rejected = i + 1;
      }
    }
    return alpha * Math.max(1, rejected) / Math.max(1, p.length);
  }

  private static int[] order(double[] p) {
    return IntStream.range(0, p.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> p[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
