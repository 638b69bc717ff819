package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import kvrank.stats.infer.PairwiseComparisons.Pair;

/**
 * A plan of looks after each repetition that keeps the error rate of a single test: their levels
 * spend the 5 % over all looks ({@link AlphaSpending}), nine tenths of it in equal parts. The last
 * tenth is reserved for extensions of an execution.
 *
 * <p>Decisions depend only on the values, and the looks are repeated each time. So an interrupted
 * execution continues as if it had not been interrupted.
 */
public final class SequentialPlan {

  /** The share of the remaining level that a stage may spend. */
  private static final double SHARE = 0.9;

  /** The repetition of the first look at two engines. */
  public static final int FIRST_OF_TWO = 4;

  /** Repetitions up to {@code last}; {@code planned} was the original end. */
  private record Stage(int planned, int last) {}

  /** Looks from the block {@code first} on, if {@code hypotheses} pairs may be equal. */
  private record Looks(int first, int hypotheses) {}

  private final int first;
  private final List<Stage> stages;
  private final Map<Looks, double[]> levels = new ConcurrentHashMap<>();

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
   * Returns the comparisons after all looks at {@code table}, which has the repetitions of one
   * execution. A pair stays separated, with the ratio that separated it.
   *
   * <p>The first look at two engines is after the fourth repetition. With three, a machine with two
   * speeds would be fast for one and slow for the other in 3 % of cases, and there is no third
   * engine whose spread would show it.
   */
  public PairwiseComparisons comparisons(BlockTable table) {
    int last = table.blocks().stream().mapToInt(RepetitionBlock::repetition).max().orElse(0);
    int first = first(table.engines().size());
    PairwiseComparisons comparisons = null;
    Map<Pair, PairVerdict> settled = new HashMap<>();
    for (int look = Math.min(first, last); look <= last; look++) {
      int upTo = look;
      comparisons = look(table.blocks(block -> block.repetition() <= upTo), settled);
    }
    return comparisons == null ? PairwiseComparisons.of(table) : comparisons;
  }

  /**
   * Returns the comparisons of one look, and adds separated pairs to {@code settled}. If a pair
   * shares several merged executions, these are the sample, which is tested once.
   */
  public PairwiseComparisons look(BlockTable table, Map<Pair, PairVerdict> settled) {
    int first = first(table.engines().size());
    PairwiseComparisons comparisons =
        PairwiseComparisons.of(
            new BlockAnalysis(table, BlockAnalysis.REPEATED_COINCIDENCE),
            (hypotheses, inference) ->
                inference.basis() == PairInference.Basis.EXECUTIONS
                    ? (1 - Estimate.CONFIDENCE) / hypotheses
                    : level(first, hypotheses, inference.blocks()),
            settled);
    settled.putAll(comparisons.verdicts());
    settled.values().removeIf(verdict -> !verdict.separated());
    return comparisons;
  }

  private int first(int engines) {
    return engines == 2 ? Math.max(first, FIRST_OF_TWO) : first;
  }

  /** Returns the level of a pair with {@code blocks}, if {@code hypotheses} pairs may be equal. */
  double level(int first, int hypotheses, int blocks) {
    int look = Math.min(blocks, atMost()) - first;
    return look < 0 ? 0 : levels.computeIfAbsent(new Looks(first, hypotheses), this::levels)[look];
  }

  private double[] levels(Looks looks) {
    double[] spent = new double[atMost() - looks.first() + 1];
    double before = 0;
    int from = 0;
    for (Stage stage : stages) {
      double share = SHARE * (1 - before);
      for (int n = Math.max(looks.first(), from + 1); n <= stage.last(); n++) {
        double part = n == stage.last() ? 1 : (double) (n - from) / (stage.planned() - from);
        spent[n - looks.first()] =
            (before + share * part) * (1 - Estimate.CONFIDENCE) / looks.hypotheses();
      }
      before += share;
      from = stage.last();
    }
    return AlphaSpending.levels(looks.first(), spent);
  }
}
