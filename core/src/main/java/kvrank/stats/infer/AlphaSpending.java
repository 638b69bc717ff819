package kvrank.stats.infer;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.special.Erf;

/**
 * The levels of a test that is repeated after every block. They keep the probability of a false
 * rejection at any of the first n looks at the share that may be spent by then.
 *
 * <p>K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials",
 * Biometrika 70, 1983, with the recursion of P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated
 * significance tests on accumulating data", Journal of the Royal Statistical Society A 132, 1969,
 * for a sum of standard normal values. A t-test uses the same level (C. Jennison and B. W.
 * Turnbull, "Group sequential methods", 2000, section 4.4).
 */
final class AlphaSpending {

  /** Intervals of Simpson's rule in the continuation region. */
  private static final int STEPS = 160;

  private static final double FAR = 9;

  private AlphaSpending() {}

  /** Returns two-sided levels of looks from block {@code first} on; {@code spent} is cumulative. */
  static double[] levels(int first, double[] spent) {
    double[] levels = new double[spent.length];
    double[] density = {};
    double bound = 0;
    for (int look = 0; look < spent.length; look++) {
      int n = first + look;
      double root = Math.sqrt(n);
      double spend = spent[look] - (look == 0 ? 0 : spent[look - 1]);
      double[] before = density;
      double within = bound;
      DoubleUnaryOperator beyond =
          look == 0
              ? c -> 2 * upper(c / root)
              : c -> 2 * integral(before, within, u -> upper(c - u));
      double least = beyond.applyAsDouble(FAR * root);
      bound =
          spend <= least
              ? FAR * root
              : new BrentSolver(1e-9)
                  .solve(200, c -> Math.log(beyond.applyAsDouble(c) / spend), 0, FAR * root);
      levels[look] = spend <= least ? 0 : 2 * upper(bound / root);
      density = new double[STEPS + 1];
      for (int i = 0; i <= STEPS; i++) {
        double x = at(i, bound);
        density[i] =
            look == 0 ? gauss(x / root) / root : integral(before, within, u -> gauss(x - u));
      }
    }
    return levels;
  }

  private static double at(int i, double bound) {
    return bound * (2.0 * i / STEPS - 1);
  }

  /** Integrates {@code density} times {@code kernel} from −{@code bound} to {@code bound}. */
  private static double integral(double[] density, double bound, DoubleUnaryOperator kernel) {
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
      int weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * density[i] * kernel.applyAsDouble(at(i, bound));
    }
    return sum * 2 * bound / STEPS / 3;
  }

  private static double gauss(double x) {
    return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }

  private static double upper(double x) {
    return Erf.erfc(x / Math.sqrt(2)) / 2;
  }
}
