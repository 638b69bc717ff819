package kvrank.stats.infer;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import kvrank.stats.infer.PairInference.Basis;
import kvrank.stats.infer.PairInference.Contrast;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.special.Gamma;

/**
 * The mixed model of a table: log value = engine + block + noise. Blocks are random, and every
 * engine has noise of its own. All values count, including those of blocks that two engines do not
 * share. Those of blocks that only one engine has count in its estimate, but in no test: they may
 * show a drift of the machine.
 *
 * <ol>
 *   <li>Block effects are fitted by least squares, weighted by engine. The engines' variances solve
 *       the equations of the expected squares of the residuals, which are unbiased with unequal
 *       variances (C. R. Rao, "Estimation of heteroscedastic variances in linear models", Journal
 *       of the American Statistical Association 65, 1970). For complete blocks and equal weights
 *       they are the stability variances of G. K. Shukla (Heredity 29, 1972).
 *   <li>The other engines steady these variances ({@link ModeratedVariances}).
 *   <li>Engines are estimated by generalised least squares. In complete blocks that is their mean.
 * </ol>
 *
 * <p>Two tests of a difference share the level. The <em>unpaired test</em> leaves the effect of
 * blocks in each engine's noise, and has more degrees of freedom if engines are few. The <em>block
 * test</em> removes it, so a drift of the machine hides nothing. Degrees of freedom follow F. E.
 * Satterthwaite (Biometrics Bulletin 2, 1946). Those that the other engines add are reduced by a
 * share of 1/m for m engines, as he supposes that the variances are as unequal as they look, and no
 * test has more than the residuals of the table.
 */
final class BlockModel {

  /**
   * The accepted chance that a machine of two speeds shows too few of them, if a table is tested
   * once.
   */
  static final double COINCIDENCE = 0.032;

  /** The same if a table is tested after every block. */
  static final double REPEATED_COINCIDENCE = 0.01;

  /** The unpaired test's share of the level: this over the number of engines, at least a fifth. */
  private static final double UNPAIRED = 1.4;

  private static final double LEAST_UNPAIRED = 0.2;

  /** The largest weight of an engine in a block effect, unless engines are fewer. */
  private static final double MOST_WEIGHT = 0.3;

  private static final int TURNS = 4;

  private final BlockTable table;
  private final int[] index;
  private final List<String> engines; // that are compared
  private final int fewest;
  private final double coincidence;
  private final int tables;
  private final double least;
  private final List<double[]> rows;
  private final int blocks;
  private BlockKinds kinds;
  private final int[] counts;
  private Noise unpaired;
  private Noise blocked;
  private double blockVariance;
  private RealMatrix covariance;
  private double[] estimates;
  private final BlockModel shared; // of the blocks that several engines have; this if all are

  /**
   * Creates the model of {@code table}, which is fitted when it is needed.
   *
   * @param fewest the fewest values of an engine that is compared
   * @param coincidence one of the constants above
   * @param tables the number of tables in the report
   */
  BlockModel(BlockTable table, int fewest, double coincidence, int tables) {
    this.table = table;
    this.fewest = fewest;
    this.tables = tables;
    this.coincidence = coincidence;
    this.least =
        table.blocks().size() < BlockAnalysis.FEWEST
            ? BlockAnalysis.USUAL_SHIFT * BlockAnalysis.USUAL_SHIFT
            : BlockAnalysis.RESOLUTION;
    this.index = new int[table.engines().size()];
    Arrays.fill(index, -1);
    int[] compared =
        IntStream.range(0, index.length).filter(e -> table.values(e).length >= fewest).toArray();
    for (int i = 0; i < compared.length; i++) {
      index[compared[i]] = i;
    }
    this.engines = IntStream.of(compared).mapToObj(table.engines()::get).toList();
    this.rows = IntStream.of(compared).mapToObj(table.logs()::get).toList();
    this.counts = IntStream.of(compared).map(e -> table.values(e).length).toArray();
    this.blocks = table.blocks().size();
    BlockTable of = table.sharedBy(compared);
    this.shared =
        of.blocks().size() == blocks ? this : new BlockModel(of, fewest, coincidence, tables);
  }

  /** Returns this with its estimates. The values of complete blocks do without them. */
  private BlockModel fitted() {
    if (estimates == null && rows.size() > 1) {
      fit();
    } else if (estimates == null) {
      estimates = rows.stream().mapToDouble(BlockModel::meanOf).toArray();
    }
    return this;
  }

  /** Returns the kurtosis of all residuals, which are 0 without a value. */
  private double kurtosis(double[][] residuals) {
    double squares = 0;
    double fourths = 0;
    for (double[] row : residuals) {
      for (double residual : row) {
        double square = residual * residual;
        squares += square;
        fourths += square * square;
      }
    }
    return squares == 0 ? 3 : IntStream.of(counts).sum() * fourths / (squares * squares);
  }

  private static double meanOf(double[] row) {
    return BlockAnalysis.mean(DoubleStream.of(row).filter(log -> !Double.isNaN(log)).toArray());
  }

  /** Returns the estimate of the logarithm of a row; empty if it has too few values. */
  Optional<Double> estimate(int row) {
    return index[row] < 0 ? Optional.empty() : Optional.of(fitted().estimates[index[row]]);
  }

  /**
   * Returns the logarithm of a row that is comparable with those of other rows and tables: its
   * estimate from blocks that several engines have, as far as it has any. If it has too few values,
   * it is their mean without what other engines show of their blocks; NaN if it has none.
   */
  double value(int row) {
    double value = shared == this ? Double.NaN : shared.value(row);
    if (!Double.isNaN(value)) {
      return value;
    }
    boolean complete = IntStream.of(counts).allMatch(count -> count == blocks);
    return complete && index[row] >= 0
        ? BlockAnalysis.mean(table.values(row)) // without what rounding adds to the estimate
        : estimate(row).orElseGet(() -> ofFew(row));
  }

  private double ofFew(int row) {
    double[] logs = table.logs().get(row);
    return IntStream.range(0, blocks)
        .filter(b -> !Double.isNaN(logs[b]))
        .mapToDouble(b -> logs[b] - effect(b))
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the effect of a block on every engine, as the compared ones show it; 0 without any. */
  private double effect(int block) {
    fitted();
    if (rows.size() < 2) { // nothing distinguishes the noise of one engine from blocks
      return rows.size() == 1 && present(0, block) ? rows.get(0)[block] - estimates[0] : 0;
    }
    double precision = 1 / blockVariance;
    double weighted = 0;
    for (int e = 0; e < rows.size(); e++) {
      if (present(e, block)) {
        double own = 1 / blocked.steadied.value(e);
        precision += own;
        weighted += own * (rows.get(e)[block] - estimates[e]);
      }
    }
    return weighted / precision;
  }

  /** Returns the noise of the compared engines together, without blocks. */
  Spread noise() {
    if (shared != this) {
      return shared.noise();
    }
    fitted();
    double squares = 0;
    double degrees = 0;
    for (int e = 0; rows.size() > 1 && e < rows.size(); e++) {
      squares += blocked.degrees[e] * blocked.variances[e];
      degrees += blocked.degrees[e];
    }
    return new Spread(degrees == 0 ? 0 : squares / degrees, degrees);
  }

  /**
   * Returns the inference about two rows of the table; empty if they share too few blocks, with
   * each other or with a third row.
   */
  Optional<PairInference> pair(int row, int otherRow, Basis basis) {
    if (shared != this) {
      fitted();
      return shared
          .pair(row, otherRow, basis)
          .map(pair -> pair.showing(estimates[index[row]] - estimates[index[otherRow]]));
    }
    int i = index[row];
    int j = index[otherRow];
    int m = rows.size();
    if (i < 0
        || j < 0
        || IntStream.range(0, m).noneMatch(e -> common(i, e) >= fewest && common(e, j) >= fewest)) {
      return Optional.empty();
    }
    fitted();
    double[] difference = new double[m];
    for (int e = 0; e < m; e++) {
      difference[e] = covariance.getEntry(i, e) - covariance.getEntry(j, e);
    }
    double estimate = 0;
    double[] squares = new double[m]; // of the coefficients of an engine's values
    double blockSquares = 0;
    for (int b = 0; b < blocks; b++) {
      double precision = 1 / blockVariance;
      double weighted = 0;
      for (int e = 0; e < m; e++) {
        if (present(e, b)) {
          precision += 1 / blocked.steadied.value(e);
          weighted += difference[e] / blocked.steadied.value(e);
        }
      }
      double sum = 0;
      for (int e = 0; e < m; e++) {
        if (present(e, b)) {
          double coefficient = (difference[e] - weighted / precision) / blocked.steadied.value(e);
          estimate += coefficient * rows.get(e)[b];
          squares[e] += coefficient * coefficient;
          sum += coefficient;
        }
      }
      blockSquares += sum * sum;
    }
    double share = Math.max(LEAST_UNPAIRED, UNPAIRED / m);
    double ofBlocks = blockSquares * blockVariance;
    return Optional.of(
        new PairInference(
            estimate,
            Math.min(counts[i], counts[j]),
            basis,
            List.of(
                contrast(unpaired, squares, 0, share, unpaired.speeds(i, j)),
                contrast(blocked, squares, ofBlocks, 1 - share, blocked.speeds(i, j)))));
  }

  private Contrast contrast(
      Noise noise, double[] squares, double ofBlocks, double weight, double speeds) {
    ModeratedVariances variances = noise.steadied;
    double sum = ofBlocks;
    for (int e = 0; e < squares.length; e++) {
      sum += squares[e] * variances.value(e);
    }
    double ofBlocksAlone = ofBlocks * ofBlocks / Math.max(1, blocks - 1);
    double own = ofBlocksAlone;
    double steadied = ofBlocksAlone;
    for (int e = 0; e < squares.length; e++) {
      double term = squares[e] * variances.value(e);
      own += term * term / variances.ownDegrees(e);
      steadied += term * term / variances.degrees(e);
    }
    double share = 1 - 1.0 / squares.length;
    double most = variances.allOwnDegrees();
    double degrees = Math.max(sum * sum / own, Math.min(most, sum * sum / steadied * share));
    return new Contrast(Math.sqrt(sum), degrees, weight, speeds);
  }

  private long common(int engine, int other) {
    return IntStream.range(0, blocks).filter(b -> present(engine, b) && present(other, b)).count();
  }

  private boolean present(int engine, int block) {
    return !Double.isNaN(rows.get(engine)[block]);
  }

  private void fit() {
    kinds = new BlockKinds(rows, blocks);
    int m = rows.size();
    double[][] centred = new double[m][];
    double[] own = new double[m];
    double[] degrees = new double[m];
    for (int e = 0; e < m; e++) {
      centred[e] = centred(rows.get(e), e);
      degrees[e] = counts[e] - 1.0;
      own[e] = Math.max(Arrays.stream(centred[e]).map(log -> log * log).sum() / degrees[e], least);
    }
    unpaired = new Noise(own, degrees, kurtosis(centred));

    double[] weights = new double[m];
    Arrays.fill(weights, 1.0 / m);
    BlockEffects effects = new BlockEffects(centred, weights);
    for (int turn = 1; turn < TURNS && m > 2; turn++) {
      effects = new BlockEffects(centred, weights(effects.variances));
    }
    blocked = new Noise(effects.variances, effects.degrees, kurtosis(effects.residuals));
    blockVariance = effects.blockVariance();
    steady(new double[m], new double[m]);
  }

  /** Steadies the variances by each other, and estimates the engines with them. */
  private void steady(double[] noisierUnpaired, double[] noisierBlocked) {
    unpaired.steadied = unpaired.steadied(noisierUnpaired);
    // Without blocks, two engines have one variance between them.
    blocked.steadied =
        rows.size() == 2
            ? ModeratedVariances.unsteadied(blocked.variances, blocked.degrees)
            : blocked.steadied(noisierBlocked);
    estimate();
  }

  /** Adds the noise of each engine to that of other tables, by test. */
  void addTo(NoiseOfEngines ofUnpaired, NoiseOfEngines ofBlocked) {
    if (shared != this) {
      shared.addTo(ofUnpaired, ofBlocked);
    } else if (rows.size() > 1) {
      fitted();
      unpaired.addTo(ofUnpaired);
      blocked.addTo(ofBlocked);
    }
  }

  /** Assumes that engines which are noisy in other tables are noisy here, by test. */
  void suppose(NoiseOfEngines ofUnpaired, NoiseOfEngines ofBlocked) {
    if (shared != this) {
      shared.suppose(ofUnpaired, ofBlocked);
    } else if (rows.size() > 1) {
      fitted();
      unpaired.suppose(ofUnpaired);
      blocked.suppose(ofBlocked);
      steady(unpaired.elsewhere(ofUnpaired), blocked.elsewhere(ofBlocked));
    }
  }

  /** The noise of the engines in one of the two tests. */
  private final class Noise {

    final double[] variances;
    final double[] degrees;
    private final double[] speeds;
    private final double kurtosis;
    private boolean ofTwoPoints;
    ModeratedVariances steadied;

    Noise(double[] variances, double[] degrees, double kurtosis) {
      this.variances = variances;
      this.degrees = degrees;
      this.kurtosis = kurtosis;
      this.speeds =
          IntStream.of(counts)
              .mapToDouble(n -> TwoSpeeds.distance(variances, n, coincidence, tables))
              .toArray();
    }

    /** Returns the difference of two engines that two speeds explain. */
    double speeds(int engine, int other) {
      return Math.max(speeds[engine], speeds[other]);
    }

    /** Returns the noise of each engine in this table. */
    List<NoiseOfEngines.Seen> seen() {
      double[] logs = ModeratedVariances.logs(variances, degrees);
      double mean = BlockAnalysis.mean(logs);
      return IntStream.range(0, logs.length)
          .mapToObj(
              e ->
                  new NoiseOfEngines.Seen(
                      engines.get(e),
                      logs[e] - mean,
                      Gamma.trigamma(degrees[e] / 2),
                      variances[e] * counts[e]))
          .toList();
    }

    void addTo(NoiseOfEngines ofReport) {
      seen().forEach(ofReport::add);
      ofReport.add(kurtosis, IntStream.of(counts).sum());
    }

    ModeratedVariances steadied(double[] noisier) {
      return ModeratedVariances.of(variances, degrees, noisier, ofTwoPoints);
    }

    double[] elsewhere(NoiseOfEngines noise) {
      return seen().stream().mapToDouble(noise::elsewhere).toArray();
    }

    /** Takes into account what all tables of a report show about two speeds. */
    void suppose(NoiseOfEngines ofReport) {
      ofTwoPoints = ofReport.ofTwoPoints();
      for (int e = 0; tables > 1 && e < speeds.length; e++) {
        double distance = ofReport.speeds(speeds.length, counts[e], coincidence, tables);
        speeds[e] = Math.max(speeds[e], distance);
      }
    }
  }

  /** Returns weights inverse to {@code variances}, limited to the largest weight. */
  private static double[] weights(double[] variances) {
    int m = variances.length;
    double most = Math.max(1.0 / m, MOST_WEIGHT);
    double[] weights = Arrays.stream(variances).map(variance -> 1 / variance).toArray();
    for (int turn = 0; turn < m; turn++) {
      double sum = Arrays.stream(weights).sum();
      for (int e = 0; e < m; e++) {
        weights[e] = Math.min(weights[e] / sum, most);
      }
    }
    return weights;
  }

  /** Returns {@code values} by block without the mean of the blocks of {@code engine}; 0 beside. */
  private double[] centred(double[] values, int engine) {
    double mean = 0;
    for (int b = 0; b < blocks; b++) {
      mean += present(engine, b) ? values[b] / counts[engine] : 0;
    }
    double[] centred = new double[blocks];
    for (int b = 0; b < blocks; b++) {
      centred[b] = present(engine, b) ? values[b] - mean : 0;
    }
    return centred;
  }

  /** Estimates the engines, and the covariance of that as the inverse of the information. */
  private void estimate() {
    int m = rows.size();
    RealMatrix information = new Array2DRowRealMatrix(m, m);
    double[] right = new double[m];
    for (int b = 0; b < blocks; b++) {
      double precision = 1 / blockVariance;
      double weighted = 0;
      for (int e = 0; e < m; e++) {
        precision += present(e, b) ? 1 / blocked.steadied.value(e) : 0;
        weighted += present(e, b) ? rows.get(e)[b] / blocked.steadied.value(e) : 0;
      }
      for (int e = 0; e < m; e++) {
        if (present(e, b)) {
          double own = 1 / blocked.steadied.value(e);
          information.addToEntry(e, e, own);
          right[e] += own * (rows.get(e)[b] - weighted / precision);
          for (int other = 0; other < m; other++) {
            if (present(other, b)) {
              information.addToEntry(e, other, -own / blocked.steadied.value(other) / precision);
            }
          }
        }
      }
    }
    covariance = MatrixUtils.inverse(information);
    estimates = covariance.operate(right);
  }

  /** Fixed block effects, fitted with weights by engine, and the variances without them. */
  private final class BlockEffects {

    private final double[][] centred;
    private final double[] weights;
    private final BlockKinds.Matrix inverse;
    private final double[] effects;
    final double[][] residuals;
    final double[] variances;
    final double[] degrees;

    BlockEffects(double[][] centred, double[] weights) {
      this.centred = centred;
      this.weights = weights;
      int m = rows.size();
      BlockKinds.Matrix normal = kinds.zero();
      double[] right = new double[blocks];
      for (int e = 0; e < m; e++) {
        normal = normal.plus(weights[e], kinds.identity().centred(e));
        for (int b = 0; b < blocks; b++) {
          right[b] += weights[e] * centred[e][b];
        }
      }
      // Effects are defined except for a constant, which this sets to 0.
      inverse = normal.plus(normal.trace() / blocks / blocks, kinds.ones()).inverse();
      effects = inverse.operate(right);
      residuals = new double[m][blocks];
      variances = new double[m];
      degrees = new double[m];
      solve();
    }

    /**
     * Solves Σₖ aₑₖ vₖ = qₑ for the variances v, where q are the sums of squared residuals and a
     * the squared coefficients of engine k's values in the residuals of engine e.
     */
    private void solve() {
      int m = rows.size();
      RealMatrix coefficients = new Array2DRowRealMatrix(m, m);
      double[] squares = new double[m];
      for (int e = 0; e < m; e++) {
        double[] fitted = centred(effects, e);
        for (int b = 0; b < blocks; b++) {
          residuals[e][b] = centred[e][b] - fitted[b];
          squares[e] += residuals[e][b] * residuals[e][b];
        }
        BlockKinds.Matrix own = kinds.identity().centred(e);
        BlockKinds.Matrix minus = inverse.centred(e).transpose();
        for (int k = 0; k < m; k++) {
          BlockKinds.Matrix entries =
              (k == e ? own : kinds.zero()).plus(-weights[k], minus.centred(k));
          coefficients.setEntry(e, k, entries.squares());
          if (k == e) {
            degrees[e] = entries.trace();
          }
        }
      }
      double[] solved = BlockKinds.inverse(coefficients).operate(squares);
      for (int e = 0; e < m; e++) {
        // A solution may be negative by chance.
        double share = LEAST_SHARE * squares[e] / (counts[e] - 1);
        variances[e] = Math.max(Math.max(solved[e], share), least);
        degrees[e] = Math.max(degrees[e], 0.5);
      }
    }

    /**
     * Returns the variance of blocks, plus its standard error, so that a drift which few blocks
     * hardly show is not taken for none.
     */
    double blockVariance() {
      int[] shared =
          IntStream.range(0, blocks)
              .filter(b -> IntStream.range(0, rows.size()).filter(e -> present(e, b)).count() > 1)
              .toArray();
      if (shared.length < 2) {
        return MANY_TIMES * Arrays.stream(variances).max().orElseThrow();
      }
      double[] picked = IntStream.of(shared).mapToDouble(b -> effects[b]).toArray();
      double mean = BlockAnalysis.mean(picked);
      double error = 0; // the sum of squares that noise adds
      for (int e = 0; e < rows.size(); e++) {
        double coefficients = inverse.centred(e).transpose().centredShared().squares();
        error += weights[e] * weights[e] * coefficients * variances[e];
      }
      double degreesOfBlocks = shared.length - 1.0;
      double total =
          Arrays.stream(picked).map(effect -> (effect - mean) * (effect - mean)).sum()
              / degreesOfBlocks;
      error /= degreesOfBlocks;
      double variance = Math.max(0, total - error);
      return variance + Math.sqrt(2 / degreesOfBlocks) * (variance + error);
    }
  }

  /** The smallest variance, as a share of the mean square of the residuals. */
  private static final double LEAST_SHARE = 0.7;

  /** How much larger than the noise the variance of blocks is if nothing shows it. */
  private static final double MANY_TIMES = 100;
}
