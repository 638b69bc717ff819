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
 * <p>Three tests are made of a difference, which divide the level between them.
 *
 * <ul>
 *   <li>The <em>unpaired test</em> (B. L. Welch, Biometrika 34, 1947) leaves what is common to a
 *       block in the noise. It has the most degrees of freedom where few engines share few blocks.
 *   <li>The <em>paired test</em> is Student's of the differences in each block. A drift of the
 *       machine is not in them.
 *   <li>The <em>table's test</em> takes blocks out too, and its noise is that of the table, or of
 *       the engine itself where that is more: with m engines and n blocks the table's is the
 *       residual mean square with (m−1)(n−1) degrees of freedom, the engine's own the stability
 *       variance of G. K. Shukla ("Some statistical aspects of partitioning genotype-environmental
 *       components of variability", Heredity 29, 1972) with n−1, and as many more as the likeness
 *       of the engines' variances is worth (G. K. Smyth, "Linear models and empirical Bayes methods
 *       for assessing differential expression in microarray experiments", Statistical Applications
 *       in Genetics and Molecular Biology 3, 2004).
 * </ul>
 *
 * <p>The first two believe an engine's own spread, however small. With few blocks and many engines
 * that must not be: if every run is fast or slow by the toss of a coin, some engine has only fast
 * ones and some other only slow ones, with almost no spread. The chance of that is at most 2·4⁻ⁿ
 * for a pair, so the two are made only where that, over all pairs, is small. Where only two engines
 * share the blocks, their own spread is the table's, and no test is made before that.
 */
public final class BlockAnalysis {

  /** The fewest blocks of a test. With two, chance alone would make spreads of almost nothing. */
  public static final int FEWEST = 3;

  /** The fewest executions: their means have the noise of several repetitions in them already. */
  private static final int FEWEST_EXECUTIONS = 2;

  private static final double UNPAIRED = 0.7;
  private static final double PAIRED = 0.1;

  /** A small chance where a table is looked at once: 1 in 31, of two engines in 3 blocks. */
  static final double COINCIDENCE = 0.032;

  /** What is a small chance where a table is looked at after every block. */
  static final double REPEATED_COINCIDENCE = 0.01;

  /** Latency histograms keep three digits: no spread is taken to be smaller than that. */
  public static final double RESOLUTION = 0.001 * 0.001;

  private final BlockTable repetitions;
  private final BlockTable executions;
  private final double coincidence;

  /** A machine of two speeds may separate two engines with the probability {@code coincidence}. */
  BlockAnalysis(BlockTable table, double coincidence) {
    this.repetitions = table;
    this.executions = table.byExecution();
    this.coincidence = coincidence;
  }

  BlockTable table() {
    return repetitions;
  }

  /**
   * The test of the engines at two places of the table; empty if they have too few values. Where
   * they share two executions or more, the executions are the sample.
   */
  Optional<PairInference> pair(int one, int other) {
    int[] common = executions.shared(one, other);
    if (common.length >= FEWEST_EXECUTIONS) {
      double[][] rows = executions.complete(one, other, common);
      return Optional.of(infer(rows, Basis.EXECUTIONS));
    }
    int[] shared = repetitions.shared(one, other);
    if (shared.length >= FEWEST) {
      double[][] rows = repetitions.complete(one, other, shared);
      return rows.length == 2 && 2 * Math.pow(4, -shared.length) > coincidence
          ? Optional.empty()
          : Optional.of(infer(rows, Basis.REPETITIONS));
    }
    double[] first = repetitions.values(one);
    double[] second = repetitions.values(other);
    return first.length < FEWEST || second.length < FEWEST
        ? Optional.empty()
        : Optional.of(independent(first, second));
  }

  /** The test of values that have no block in common. */
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
    // Whether an engine's own spread is believed, however small.
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
    double one = Math.max(squares(first) / (first.length - 1), RESOLUTION) / first.length;
    double other = Math.max(squares(second) / (second.length - 1), RESOLUTION) / second.length;
    double sum = one + other;
    double degrees =
        sum * sum / (one * one / (first.length - 1) + other * other / (second.length - 1));
    return new Contrast(Math.sqrt(sum), degrees, weight);
  }

  /** The block test of the first two of {@code rows}, each of which has a value in every block. */
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
    double squaredVariances = 0; // the squared variances of engines with more
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
   * How many degrees of freedom the other engines of a table add to the variance of one, by Smyth's
   * equation ψ′(d₀/2) = s² − ψ′(d/2): s² is the variance of the logarithms of {@code variances},
   * which have d = {@code degrees} each. Solved with the first two terms ψ′(x) ≈ 1/x + 1/(2x²),
   * which leave it too small, by 13 % at d₀ = 1 and 7 % at 2. A variance that came out as nothing
   * counts as a millionth of the {@code table}'s.
   */
  private static double likeness(double[] variances, double table, int degrees) {
    double[] logs =
        Arrays.stream(variances)
            .map(variance -> Math.log(Math.max(variance, 1e-6 * table)))
            .toArray();
    double excess = squares(logs) / (logs.length - 1) - Gamma.trigamma(degrees / 2.0);
    return excess > 0 ? (1 + Math.sqrt(1 + 2 * excess)) / excess : Double.POSITIVE_INFINITY;
  }

  /** What is left of {@code rows} without the means of engines and blocks. */
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

  /** The sum of the squared differences to the mean. */
  public static double squares(double[] values) {
    double mean = mean(values);
    return Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
  }
}
