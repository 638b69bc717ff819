package kvrank.stats.infer;

import java.util.List;

/**
 * Table 6 of J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal
 * of Machine Learning Research 7, 2006: the AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data
 * sets. The table's ranks show that two values that are printed as 0.975 differ.
 */
final class Demsar {

  static final List<double[]> AUC =
      List.of(
          new double[] {0.763, 0.768, 0.771, 0.798},
          new double[] {0.599, 0.591, 0.590, 0.569},
          new double[] {0.954, 0.971, 0.968, 0.967},
          new double[] {0.628, 0.661, 0.654, 0.657},
          new double[] {0.882, 0.888, 0.886, 0.898},
          new double[] {0.936, 0.931, 0.916, 0.931},
          new double[] {0.661, 0.668, 0.609, 0.685},
          new double[] {0.583, 0.583, 0.563, 0.625},
          new double[] {0.775, 0.838, 0.866, 0.875},
          new double[] {1.000, 1.000, 1.000, 1.000},
          new double[] {0.940, 0.962, 0.965, 0.962},
          new double[] {0.619, 0.666, 0.614, 0.669},
          new double[] {0.972, 0.981, 0.9751, 0.975},
          new double[] {0.957, 0.978, 0.946, 0.970});

  private Demsar() {}

  /** One classifier's values. */
  static double[] column(int index) {
    return AUC.stream().mapToDouble(row -> row[index]).toArray();
  }
}
