package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvrank.metric.Direction;

/**
 * Every two engines of a table compared ({@link BlockAnalysis}), with a probability of at most 5 %
 * that the whole table separates any two that are equal, and of at most 5 % that it calls any two
 * equal that are not.
 *
 * <p>All pairs count, also where only those with the best are shown: the best is chosen by the same
 * data. They are tested by steps, from the smallest p-value on: each at the level divided by how
 * many pairs can still be equal when those before differ (J. P. Shaffer, "Modified sequentially
 * rejective multiple test procedures", Journal of the American Statistical Association 81, 1986).
 * The interval of a ratio is that of the level at which the pair was tested, so it never
 * contradicts the verdict. Two are called equal if that interval lies within a factor of 1.1 of 1.
 *
 * @param verdicts by the places of the engines in the table, the earlier one first
 */
public record PairwiseComparisons(BlockTable table, Map<Pair, PairVerdict> verdicts) {

  /** At which level a pair is tested. */
  interface Levels {

    /** The level, 0 for no test, where so many pairs may be equal, this one among them. */
    double of(int hypotheses, PairInference inference);
  }

  record Pair(int first, int second) {}

  private record Tested(Pair pair, PairInference inference, double p) {}

  /** Compares the engines of {@code table}, which is looked at once. */
  public static PairwiseComparisons of(BlockTable table) {
    double alpha = 1 - Estimate.CONFIDENCE;
    return of(
        new BlockAnalysis(table, BlockAnalysis.COINCIDENCE),
        (hypotheses, inference) -> alpha / hypotheses,
        Map.of());
  }

  /**
   * Compares the engines of a table at {@code levels}. Pairs that an earlier look has separated are
   * settled, and stay as they are.
   */
  public static PairwiseComparisons of(
      BlockAnalysis analysis, Levels levels, Map<Pair, PairVerdict> settled) {
    int engines = analysis.table().engines().size();
    List<Tested> open = new ArrayList<>();
    for (int i = 0; i < engines; i++) {
      for (int j = i + 1; j < engines; j++) {
        Pair pair = new Pair(i, j);
        if (!settled.containsKey(pair)) {
          analysis
              .pair(i, j)
              .ifPresent(inference -> open.add(new Tested(pair, inference, inference.p())));
        }
      }
    }
    open.sort(
        Comparator.comparingDouble(
            tested -> tested.p() / levels.of(open.size(), tested.inference())));
    int[] possible = MultipleTesting.possiblyTrue(engines);
    Map<Pair, PairVerdict> verdicts = new LinkedHashMap<>(settled);
    double corrected = 0;
    int stopped = 0;
    for (int i = 0; i < open.size(); i++) {
      Tested next = open.get(i);
      int hypotheses = Math.min(open.size() - i, possible[settled.size() + i]);
      corrected = Math.min(1, Math.max(corrected, hypotheses * next.p()));
      if (stopped == 0 && next.p() > levels.of(hypotheses, next.inference())) {
        stopped = hypotheses;
      }
      int among = stopped == 0 ? hypotheses : stopped;
      double level = levels.of(among, next.inference());
      verdicts.put(
          next.pair(),
          level > 0
              ? PairVerdict.of(next.inference(), stopped == 0, level, corrected, among)
              : PairVerdict.untested(
                  Separation.NOT_SEPARATED, Math.exp(next.inference().difference())));
    }
    return new PairwiseComparisons(analysis.table(), verdicts);
  }

  public PairVerdict verdict(String first, String second) {
    int one = table.engines().indexOf(first);
    int other = table.engines().indexOf(second);
    if (one < 0 || other < 0 || one == other) {
      return PairVerdict.untested(Separation.UNTESTED, one == other && one >= 0 ? 1 : Double.NaN);
    }
    PairVerdict verdict = verdicts.get(new Pair(Math.min(one, other), Math.max(one, other)));
    if (verdict == null) {
      boolean few =
          Math.min(table.values(one).length, table.values(other).length) < BlockAnalysis.FEWEST;
      return PairVerdict.untested(
          few ? Separation.UNTESTED : Separation.NOT_SEPARATED, table.ratio(one, other));
    }
    return one < other ? verdict : verdict.reversed();
  }

  public boolean better(String one, String other, Direction direction) {
    PairVerdict verdict = verdict(one, other);
    return verdict.separated() && direction.compare(verdict.value(), 1) < 0;
  }
}
