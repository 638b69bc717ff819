package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import kvrank.stats.infer.PairwiseComparisons.Pair;

/**
 * Repetitions until the answer is known, with the error rate of a table that is looked at once: a
 * look after every repetition from the first few on, at levels that spend the 5 % over all looks
 * ({@link AlphaSpending}), nine tenths of it in equal parts. The last tenth is for those who extend
 * an execution that has ended without an answer.
 *
 * <p>What was decided is a function of the values alone: the looks are made again each time. So an
 * execution that was interrupted goes on as if it had not been.
 */
public final class SequentialPlan {

  /** The share of what is left that an extension may spend. */
  private static final double SHARE = 0.9;

  public static final int FIRST_OF_TWO = 4;

  /** Repetitions up to {@code last}, planned up to {@code planned}. */
  private record Stage(int planned, int last) {}

  /** Looks from the block {@code first} on, when so many pairs may be equal. */
  private record Looks(int first, int hypotheses) {}

  private final int first;
  private final List<Stage> stages;
  private final Map<Looks, double[]> levels = new ConcurrentHashMap<>();

  private SequentialPlan(int first, List<Stage> stages) {
    this.first = first;
    this.stages = List.copyOf(stages);
  }

  /**
   * A plan with its first look after so many repetitions, and at most so many of these.
   *
   * @throws IllegalArgumentException if these are fewer than three, or out of order
   */
  public SequentialPlan(int atLeast, int atMost) {
    this(atLeast, List.of(new Stage(atMost, atMost)));
    if (atLeast < BlockAnalysis.FEWEST || atMost < atLeast) {
      throw new IllegalArgumentException("at least " + atLeast + ", at most " + atMost);
    }
  }

  /** The plan that ended after {@code repetitions}, for example because its time was over. */
  public SequentialPlan ended(int repetitions) {
    List<Stage> ended = new ArrayList<>(stages);
    Stage last = ended.remove(ended.size() - 1);
    ended.add(new Stage(last.planned(), Math.min(last.last(), Math.max(first, repetitions))));
    return new SequentialPlan(first, ended);
  }

  /** The plan that goes on where this one has ended, up to {@code atMost} repetitions. */
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
   * What is known after all looks at {@code table}, which has the repetitions of one execution. A
   * pair that was separated stays so, with the ratio that separated it.
   *
   * <p>Two engines are first looked at after the fourth repetition: with three, the chance that a
   * machine of two speeds was fast for the one and slow for the other alone would be 3 %, and no
   * third engine's spread could tell.
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
   * A look at {@code table}; what it separates is added to {@code settled}. Of pairs that share
   * several merged executions these are the sample, which is looked at once.
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

  /** The level of a pair with so many blocks, when so many pairs may be equal. */
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
