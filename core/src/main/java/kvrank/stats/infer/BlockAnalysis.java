package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import kvrank.stats.infer.PairInference.Basis;
import kvrank.stats.infer.PairInference.Contrast;
import org.apache.commons.math3.special.Gamma;

/**
 * The randomised block analysis of two engines of a table: log value = engine + block + noise.
 *
 * <p>Up to three tests of a difference share the level.
 *
 * <ul>
 *   <li>The <em>unpaired test</em> (B. L. Welch, Biometrika 34, 1947) leaves the effect of blocks
 *       in the noise. It has the most degrees of freedom if few engines share few blocks.
 *   <li>The <em>paired test</em> is Student's on the differences within blocks, which do not
 *       contain a drift of the machine.
 *   <li>The <em>table's test</em> removes blocks, too. Its noise is the table's residual mean
 *       square with (m−1)(n−1) degrees of freedom for m engines and n blocks, or the engine's
 *       stability variance if that is larger (G. K. Shukla, "Some statistical aspects of
 *       partitioning genotype-environmental components of variability", Heredity 29, 1972). The
 *       latter has n−1 degrees of freedom, plus those that similar variances of the engines add (G.
 *       K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression
 *       in microarray experiments", Statistical Applications in Genetics and Molecular Biology 3,
 *       2004).
 * </ul>
 *
 * <p>The first two trust an engine's own spread, however small. That is wrong for few blocks and
 * many engines: if each run is fast or slow by chance, some engine has only fast runs and another
 * only slow ones, with almost no spread. For a pair the chance of that is at most 2·4⁻ⁿ, so these
 * tests are used only if that is small over all pairs. If only two engines share the blocks, their
 * spread is the table's, and before that point there is no test at all.
 */
public final class BlockAnalysis {

  /** The fewest blocks of a test. With two, chance would often make spreads of almost nothing. */
  public static final int FEWEST = 3;

  /** The fewest executions; their means include the noise of several repetitions. */
  private static final int FEWEST_EXECUTIONS = 2;

  private static final double UNPAIRED = 0.7;
  private static final double PAIRED = 0.1;

  /** The accepted chance if a table is tested once: 1 in 31 is two engines in 3 blocks. */
  static final double COINCIDENCE = 0.032;

  /** The accepted chance if a table is tested after every block. */
  static final double REPEATED_COINCIDENCE = 0.01;

  /** The smallest variance of logarithms: latency histograms keep three digits. */
  public static final double RESOLUTION = 0.001 * 0.001;

  private final BlockTable repetitions;
  private final BlockTable executions;
  private final double coincidence;

  /**
   * Creates the analysis of {@code table}.
   *
   * @param coincidence how likely a machine with two speeds may separate two equal engines
   */
  BlockAnalysis(BlockTable table, double coincidence) {
    this.repetitions = table;
    this.executions = table.byExecution();
    this.coincidence = coincidence;
  }

  BlockTable table() {
    return repetitions;
  }

  /**
   * Returns the test of the engines at two rows of the table; empty if they have too few values. If
   * they share two or more executions, the executions are the sample.
   */
  Optional<PairInference> pair(int row, int otherRow) {
    int[] common = executions.shared(row, otherRow);
    if (common.length >= FEWEST_EXECUTIONS) {
      double[][] rows = executions.complete(row, otherRow, common);
      return Optional.of(infer(rows, Basis.EXECUTIONS));
    }
    int[] shared = repetitions.shared(row, otherRow);
    if (shared.length >= FEWEST) {
      double[][] rows = repetitions.complete(row, otherRow, shared);
      return rows.length == 2 && 2 * Math.pow(4, -shared.length) > coincidence
          ? Optional.empty()
          : Optional.of(infer(rows, Basis.REPETITIONS));
    }
    double[] first = repetitions.values(row);
    double[] second = repetitions.values(otherRow);
    return first.length < FEWEST || second.length < FEWEST
        ? Optional.empty()
        : Optional.of(independent(first, second));
  }

  /** Returns the test of values that share no block. */
  public static PairInference independent(double[] first, double[] second) {
    return new PairInference(
        mean(first) - mean(second),
        Math.min(first.length, second.length),
        Basis.INDEPENDENT,
        List.of(unpaired(first, second, 1)));
  }

  private PairInference infer(double[][] rows, Basis basis) {
    List<Contrast> contrasts = new ArrayList<>();
    double left = 1;
    int engines = repetitions.engines().size();
    // Whether an engine's own spread is trusted, however small.
    if (engines * (engines - 1) * Math.pow(4, -rows[0].length) <= coincidence) {
      contrasts.add(unpaired(rows[0], rows[1], UNPAIRED));
      left -= UNPAIRED;
      if (rows.length > 2) {
        contrasts.add(blocked(new double[][] {rows[0], rows[1]}, PAIRED));
        left -= PAIRED;
      }
    }
    contrasts.add(blocked(rows, left));
    return new PairInference(mean(rows[0]) - mean(rows[1]), rows[0].length, basis, contrasts);
  }

  private static Contrast unpaired(double[] first, double[] second, double weight) {
    double a = Math.max(squares(first) / (first.length - 1), RESOLUTION) / first.length;
    double b = Math.max(squares(second) / (second.length - 1), RESOLUTION) / second.length;
    double sum = a + b;
    double degrees = sum * sum / (a * a / (first.length - 1) + b * b / (second.length - 1));
    return new Contrast(Math.sqrt(sum), degrees, weight);
  }

  /** Returns the block test of the first two of {@code rows}, which have no gaps. */
  private static Contrast blocked(double[][] rows, double weight) {
    int m = rows.length;
    int n = rows[0].length;
    double[] squares = Arrays.stream(residuals(rows)).mapToDouble(BlockAnalysis::squares).toArray();
    double total = Arrays.stream(squares).sum();
    double most = (m - 1.0) * (n - 1);
    double table = Math.max(total / most, RESOLUTION);
    double[] variances =
        Arrays.stream(squares)
            .map(
                engineSquares ->
                    m == 2 ? table : (m * (m - 1) * engineSquares - total) / (most * (m - 2)))
            .toArray();
    double sum = 0;
    double shares = 0; // of the table's variance in the sum
    double squaredVariances = 0; // of engines whose variance is larger
    for (int e = 0; e < 2; e++) {
      if (variances[e] > table) {
        sum += variances[e];
        squaredVariances += variances[e] * variances[e];
      } else {
        sum += table;
        shares += table;
      }
    }
    double degreesOfEach =
        squaredVariances == 0 ? most : Math.min(n - 1 + likeness(variances, table, n - 1), most);
    return new Contrast(
        Math.sqrt(sum / n),
        sum * sum / (shares * shares / most + squaredVariances / degreesOfEach),
        weight);
  }

  /**
   * Returns the degrees of freedom d₀ that the other engines of a table add to the variance of one,
   * by Smyth's equation ψ′(d₀/2) = s² − ψ′(d/2): s² is the variance of the logarithms of {@code
   * variances}, which have d = {@code degrees} each. The solution uses two terms, ψ′(x) ≈ 1/x +
   * 1/(2x²), which makes d₀ too small, by 13 % at 1 and 7 % at 2. A variance is at least a
   * millionth of the {@code table}'s.
   */
  private static double likeness(double[] variances, double table, int degrees) {
    double[] logs =
        Arrays.stream(variances)
            .map(variance -> Math.log(Math.max(variance, 1e-6 * table)))
            .toArray();
    double excess = squares(logs) / (logs.length - 1) - Gamma.trigamma(degrees / 2.0);
    return excess > 0 ? (1 + Math.sqrt(1 + 2 * excess)) / excess : Double.POSITIVE_INFINITY;
  }

  /** Returns {@code rows} without the means of engines and blocks. */
  private static double[][] residuals(double[][] rows) {
    double[][] left = new double[rows.length][];
    double[] blocks = new double[rows[0].length];
    for (int e = 0; e < rows.length; e++) {
      double mean = mean(rows[e]);
      left[e] = Arrays.stream(rows[e]).map(log -> log - mean).toArray();
      for (int b = 0; b < blocks.length; b++) {
        blocks[b] += left[e][b] / rows.length;
      }
    }
    for (double[] row : left) {
      for (int b = 0; b < blocks.length; b++) {
        row[b] -= blocks[b];
      }
    }
    return left;
  }

  public static double mean(double[] values) {
    return Arrays.stream(values).sum() / values.length;
  }

  /** Returns the sum of the squared differences from the mean. */
  public static double squares(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
  }
}
