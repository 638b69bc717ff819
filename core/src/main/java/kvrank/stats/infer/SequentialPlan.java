package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A plan of looks after each repetition that keeps the error rate of a single test: their levels
 * spend it over all looks ({@link AlphaSpending}), nine tenths of it in equal parts. The last tenth
 * is reserved for extensions of an execution.
 *
 * <p>Decisions depend only on the values, and the looks are repeated each time. So an interrupted
 * execution continues as if it had not been interrupted.
 */
public final class SequentialPlan {

  /**
   * How many errors, for each factor of e, have levels that are computed, which takes tens of
   * milliseconds. Between them, logarithms are interpolated, with an error of less than 0.1 %.
   */
  private static final int COMPUTED = 4;

  /** The share of the remaining level that a stage may spend. */
  private static final double SHARE = 0.9;

  /** Repetitions up to {@code last}; {@code planned} was the original end. */
  private record Stage(int planned, int last) {}

  private record Place(int first, List<Stage> stages, int place) {}

  /** The computed levels of all plans: each look at an execution has a plan of its own. */
  private static final Map<Place, double[]> LEVELS = new ConcurrentHashMap<>();

  private final int first;
  private final List<Stage> stages;

  private SequentialPlan(int first, List<Stage> stages) {
    this.first = first;
    this.stages = List.copyOf(stages);
  }

  /**
   * Creates a plan with the first look after {@code atLeast} repetitions.
   *
   * @throws IllegalArgumentException if these are fewer than three or more than {@code atMost}
   */
  public SequentialPlan(int atLeast, int atMost) {
    this(atLeast, List.of(new Stage(atMost, atMost)));
    if (atLeast < BlockAnalysis.FEWEST || atMost < atLeast) {
      throw new IllegalArgumentException("at least " + atLeast + ", at most " + atMost);
    }
  }

  /** Returns the plan that ended after {@code repetitions}, for example for lack of time. */
  public SequentialPlan ended(int repetitions) {
    List<Stage> ended = new ArrayList<>(stages);
    Stage last = ended.remove(ended.size() - 1);
    ended.add(new Stage(last.planned(), Math.min(last.last(), Math.max(first, repetitions))));
    return new SequentialPlan(first, ended);
  }

  /** Returns the plan that continues this one, up to {@code atMost} repetitions. */
  public SequentialPlan extended(int atMost) {
    if (atMost <= atMost()) {
      return this;
    }
    List<Stage> extended = new ArrayList<>(stages);
    extended.add(new Stage(atMost, atMost));
    return new SequentialPlan(first, extended);
  }

  public int atLeast() {
    return first;
  }

  public int atMost() {
    return stages.get(stages.size() - 1).last();
  }

  /**
   * Returns the comparisons of a look at each of {@code tables}, which are a family. A pair of one
   * execution has the level of the look after its last repetition; the means of several executions
   * are tested once.
   */
  public List<PairwiseComparisons> comparisons(List<BlockTable> tables, double error) {
    return PairwiseComparisons.of(
        tables,
        BlockModel.REPEATED_COINCIDENCE,
        (hypotheses, inference) ->
            inference.basis() == PairInference.Basis.EXECUTIONS
                ? error / hypotheses
                : level(error / hypotheses, inference.blocks()));
  }

  /** Returns the comparisons of a look at {@code table} by itself. */
  public PairwiseComparisons comparisons(BlockTable table) {
    return comparisons(List.of(table), PairwiseComparisons.TABLES).get(0);
  }

  /** Returns the level of a pair with {@code blocks} if its looks may spend {@code error}. */
  double level(double error, int blocks) {
    int look = Math.min(blocks, atMost()) - first;
    if (look < 0) {
      return 0;
    }
    double place = COMPUTED * Math.log(error);
    int below = (int) Math.floor(place);
    double low = computed(below)[look];
    double high = computed(below + 1)[look];
    return low == 0 ? 0 : low * Math.pow(high / low, place - below);
  }

  private double[] computed(int place) {
    return LEVELS.computeIfAbsent(
        new Place(first, stages, place), any -> levels(Math.exp((double) place / COMPUTED)));
  }

  /** Returns the levels of all looks that spend {@code error} together. */
  double[] levels(double error) {
    double[] spent = new double[atMost() - first + 1];
    double before = 0;
    int from = 0;
    for (Stage stage : stages) {
      double share = SHARE * (1 - before);
      for (int n = Math.max(first, from + 1); n <= stage.last(); n++) {
        double part = n == stage.last() ? 1 : (double) (n - from) / (stage.planned() - from);
        spent[n - first] = (before + share * part) * error;
      }
      before += share;
      from = stage.last();
    }
    return AlphaSpending.levels(first, spent);
  }
}
