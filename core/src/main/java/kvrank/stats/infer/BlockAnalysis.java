package kvrank.stats.infer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import kvrank.stats.infer.PairInference.Basis;
import kvrank.stats.infer.PairInference.Contrast;

/**
 * The statistical inference about every two engines of a table, by a {@link BlockModel} of all its
 * values.
 *
 * <p>If there is one execution, its repetitions are the sample. If there are several, each counts
 * by its estimates, because repetitions of one execution tell nothing about the next. Two
 * executions tell too little about how much executions differ, so that is at least {@link
 * #USUAL_SHIFT}; it also counts for engines that share only one of their executions or none, and
 * executions that show more count instead ({@link Spread#steadied}).
 */
public final class BlockAnalysis {

  /** The fewest repetitions of a test. With two, chance would often make spreads of almost none. */
  public static final int FEWEST = 3;

  /**
   * The fewest executions of a test, since their estimates include the noise of several
   * repetitions; and the fewest repetitions of such an estimate.
   */
  private static final int FEWEST_EXECUTIONS = 2;

  /** The smallest variance of logarithms: latency histograms keep three digits. */
  public static final double RESOLUTION = 0.001 * 0.001;

  /**
   * How much executions of the same on one machine differ if nothing is known, as a standard
   * deviation of logarithms: between busy and quiet machines.
   */
  public static final double USUAL_SHIFT = 0.05;

  private static final Spread USUAL = Spread.stated(USUAL_SHIFT);

  private final BlockTable repetitions;
  private final BlockTable executions;
  private final double coincidence;
  private final int tables;
  private final boolean merged;

  /** Of the repetitions of an execution: of the only one, otherwise of those that pairs need. */
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
    this.coincidence = coincidence;
    this.merged = table.blocks().stream().map(RepetitionBlock::execution).distinct().count() > 1;
    this.executions =
        table.byExecution(
            execution -> {
              BlockModel model = modelOf(execution);
              if (!merged) {
                models.put(execution.blocks().get(0).execution(), model);
              }
              return IntStream.range(0, table.engines().size()).mapToDouble(model::value).toArray();
            });
  }

  BlockTable table() {
    return repetitions;
  }

  /** Returns the table of the estimates of each execution. */
  BlockTable executions() {
    return executions;
  }

  /** Returns the inference about the engines at two rows; empty if they have too few values. */
  Optional<PairInference> pair(int row, int otherRow) {
    if (!merged) {
      return model().pair(row, otherRow, Basis.REPETITIONS);
    }
    double difference = means().value(row) - means().value(otherRow);
    return means()
        .pair(row, otherRow, Basis.EXECUTIONS)
        .or(() -> ofFewExecutions(row, otherRow))
        .map(pair -> pair.about(difference));
  }

  /** Returns the noise of the difference of engines that share at most one execution. */
  private Optional<PairInference> ofFewExecutions(int row, int otherRow) {
    double[] first = executions.values(row);
    double[] second = executions.values(otherRow);
    int[] common = executions.shared(row, otherRow);
    if (common.length > 0) {
      Optional<PairInference> shared =
          repetitions(executions.blocks().get(common[0]).execution())
              .pair(row, otherRow, Basis.REPETITIONS)
              .filter(pair -> pair.blocks() >= FEWEST);
      // Each engine may differ from its other executions, or from those of the other engine.
      Spread noise = means().noise();
      return first.length == 1 && second.length == 1
          ? shared
          : shared.map(pair -> noise.steadied(USUAL).widen(pair, 2, 1));
    }
    if (repetitions.values(row).length < FEWEST || repetitions.values(otherRow).length < FEWEST) {
      return Optional.empty();
    }
    double degrees = first.length + second.length - 2.0;
    Spread shown =
        new Spread(degrees == 0 ? 0 : (squares(first) + squares(second)) / degrees, degrees);
    return Optional.of(
        shown
            .steadied(USUAL)
            .widen(
                independent(repetitions.byExecution(row), repetitions.byExecution(otherRow)),
                1.0 / first.length + 1.0 / second.length,
                1));
  }

  /**
   * Returns the typical value of the engine at {@code row}: the geometric mean, without the effect
   * of blocks that others do not share. {@link #pair} has the same ratio.
   */
  double estimate(int row) {
    return Math.exp(
        merged
            ? means().value(row)
            : model().estimate(row).orElseGet(() -> mean(repetitions.values(row))));
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
    return merged ? means() : repetitions(executions.blocks().get(0).execution());
  }

  private BlockModel means() {
    if (means == null) {
      means = new BlockModel(executions, FEWEST_EXECUTIONS, coincidence, tables);
    }
    return means;
  }

  private BlockModel repetitions(int execution) {
    return models.computeIfAbsent(
        execution, only -> modelOf(repetitions.blocks(block -> block.execution() == only)));
  }

  private BlockModel modelOf(BlockTable execution) {
    int fewest = merged && execution.blocks().size() < FEWEST ? FEWEST_EXECUTIONS : FEWEST;
    return new BlockModel(execution, fewest, coincidence, tables);
  }

  /**
   * Returns the inference about values that share no execution, by B. L. Welch's test (Biometrika
   * 34, 1947). The noise comes from repetitions within their executions.
   *
   * @param first the logarithms by execution, each of which counts by its mean
   */
  public static PairInference independent(List<double[]> first, List<double[]> second) {
    Mean one = Mean.of(first);
    Mean other = Mean.of(second);
    return new PairInference(
        one.log - other.log,
        Math.min(one.repetitions, other.repetitions),
        Basis.INDEPENDENT,
        List.of(
            new Contrast(
                Math.sqrt(one.variance + other.variance),
                PairInference.satterthwaite(
                    one.variance, one.degrees, other.variance, other.degrees),
                1)));
  }

  /**
   * The mean of executions.
   *
   * @param variance that the noise of repetitions gives to the mean
   */
  private record Mean(double log, int repetitions, double variance, double degrees) {

    static Mean of(List<double[]> executions) {
      int k = executions.size();
      double[] means = executions.stream().mapToDouble(BlockAnalysis::mean).toArray();
      int repetitions = executions.stream().mapToInt(logs -> logs.length).sum();
      double shares = executions.stream().mapToDouble(logs -> 1.0 / logs.length).sum() / k / k;
      boolean single = repetitions == k; // nothing shows the noise within executions
      double degrees = single ? k - 1.0 : repetitions - k;
      double squares =
          single ? squares(means) : executions.stream().mapToDouble(BlockAnalysis::squares).sum();
      double variance = Math.max(squares / degrees, RESOLUTION) * shares;
      return new Mean(mean(means), repetitions, variance, degrees);
    }
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
