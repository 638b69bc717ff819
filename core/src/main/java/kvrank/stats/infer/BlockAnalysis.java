package kvrank.stats.infer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.stats.infer.PairInference.Basis;
import kvrank.stats.infer.PairInference.Contrast;

/**
 * The statistical inference about every two engines of a table, by a {@link BlockModel} of all its
 * values.
 *
 * <p>Engines that share two or more executions are compared by the means of the executions, because
 * repetitions of one execution tell nothing about the next. Two executions tell too little about
 * how much executions differ, so that is at least {@link #USUAL_SHIFT}. If engines share one
 * execution, its repetitions are the sample. If they share none, their values are independent
 * samples, and {@link #USUAL_SHIFT} is added for each execution.
 */
public final class BlockAnalysis {

  /** The fewest repetitions of a test. With two, chance would often make spreads of almost none. */
  public static final int FEWEST = 3;

  /** The fewest executions; their means include the noise of several repetitions. */
  private static final int FEWEST_EXECUTIONS = 2;

  /** The smallest variance of logarithms: latency histograms keep three digits. */
  public static final double RESOLUTION = 0.001 * 0.001;

  /**
   * How much executions of the same on one machine differ if nothing is known, as a standard
   * deviation of logarithms: between busy and quiet machines.
   */
  public static final double USUAL_SHIFT = 0.05;

  private final BlockTable repetitions;
  private final BlockTable executions;
  private final double coincidence;
  private final int tables;
  private final Map<Integer, BlockModel> models = new HashMap<>();
  private BlockModel means;

  /**
   * Creates the analysis of {@code table}.
   *
   * @param coincidence how likely a machine with two speeds may separate two equal engines, see
   *     {@link BlockModel}
   */
  BlockAnalysis(BlockTable table, double coincidence) {
    this(table, coincidence, 1);
  }

  /** The same for one of {@code tables} tables of a report. */
  BlockAnalysis(BlockTable table, double coincidence, int tables) {
    this.tables = tables;
    this.repetitions = table;
    this.executions = table.byExecution();
    this.coincidence = coincidence;
  }

  BlockTable table() {
    return repetitions;
  }

  /** Returns the inference about the engines at two rows; empty if they have too few values. */
  Optional<PairInference> pair(int row, int otherRow) {
    int[] common = executions.shared(row, otherRow);
    if (common.length >= FEWEST_EXECUTIONS) {
      return means().pair(row, otherRow, Basis.EXECUTIONS);
    }
    if (common.length == 1) {
      return repetitions(executions.blocks().get(common[0]).execution())
          .pair(row, otherRow, Basis.REPETITIONS);
    }
    double[] first = repetitions.values(row);
    double[] second = repetitions.values(otherRow);
    if (first.length < FEWEST || second.length < FEWEST) {
      return Optional.empty();
    }
    double shifts =
        USUAL_SHIFT
            * USUAL_SHIFT
            * (1.0 / executions.values(row).length + 1.0 / executions.values(otherRow).length);
    return Optional.of(independent(first, second).widened(shifts, Double.POSITIVE_INFINITY, 1));
  }

  /**
   * Returns the typical value of the engine at {@code row}: the geometric mean, without the effect
   * of blocks that others do not share. {@link #pair} has the same ratio.
   */
  double estimate(int row) {
    double[] of = executions.values(row);
    Optional<Double> log = model().estimate(row);
    return Math.exp(log.orElseGet(() -> mean(of)));
  }

  /** Returns {@link #estimate} by engine. */
  SortedMap<String, Double> values() {
    SortedMap<String, Double> values = new TreeMap<>();
    for (int row = 0; row < repetitions.engines().size(); row++) {
      values.put(repetitions.engines().get(row), estimate(row));
    }
    return values;
  }

  /** Adds the noise of each engine in the two tests of {@link BlockModel}. */
  void addTo(NoiseOfEngines unpaired, NoiseOfEngines blocked) {
    if (!repetitions.blocks().isEmpty()) {
      model().addTo(unpaired, blocked);
    }
  }

  /** Takes into account what the noise in other tables shows. */
  void suppose(NoiseOfEngines unpaired, NoiseOfEngines blocked) {
    if (!repetitions.blocks().isEmpty()) {
      model().suppose(unpaired, blocked);
    }
  }

  private BlockModel model() {
    return executions.blocks().size() > 1
        ? means()
        : repetitions(executions.blocks().get(0).execution());
  }

  private BlockModel means() {
    if (means == null) {
      means = new BlockModel(executions, FEWEST_EXECUTIONS, coincidence, tables);
    }
    return means;
  }

  private BlockModel repetitions(int execution) {
    return models.computeIfAbsent(
        execution,
        only ->
            new BlockModel(
                repetitions.blocks(block -> block.execution() == only),
                FEWEST,
                coincidence,
                tables));
  }

  /**
   * Returns the inference about values that share no execution, by B. L. Welch's test (Biometrika
   * 34, 1947).
   */
  public static PairInference independent(double[] first, double[] second) {
    double a = Math.max(squares(first) / (first.length - 1), RESOLUTION) / first.length;
    double b = Math.max(squares(second) / (second.length - 1), RESOLUTION) / second.length;
    double sum = a + b;
    double degrees = sum * sum / (a * a / (first.length - 1) + b * b / (second.length - 1));
    return new PairInference(
        mean(first) - mean(second),
        Math.min(first.length, second.length),
        Basis.INDEPENDENT,
        List.of(new Contrast(Math.sqrt(sum), degrees, 1)));
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
