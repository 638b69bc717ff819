package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvrank.metric.Direction;

/**
 * Comparisons of every two engines of a table ({@link BlockAnalysis}). In the whole table, the
 * probability of separating any two equal engines is at most 5 %, and so is the probability of
 * calling any two different engines equal.
 *
 * <p>All pairs count, even if only those with the best are shown, because the same data choose the
 * best. Pairs are tested in steps, from the smallest p-value on, at the level divided by the number
 * of pairs that can still be equal if all earlier ones differ (J. P. Shaffer, "Modified
 * sequentially rejective multiple test procedures", Journal of the American Statistical Association
 * 81, 1986). The interval of a ratio has the level at which the pair was tested, so it never
 * contradicts the verdict. Two engines are equal if that interval is within a factor of 1.1 around
 * 1.
 *
 * @param verdicts by the rows of the engines in the table, the lower row first
 */
public record PairwiseComparisons(BlockTable table, Map<Pair, PairVerdict> verdicts) {

  /** The level at which a pair is tested. */
  interface Levels {

    /** Returns the level, 0 for no test; {@code hypotheses} pairs may be equal, including this. */
    double of(int hypotheses, PairInference inference);
  }

  record Pair(int first, int second) {}

  private record Tested(Pair pair, PairInference inference, double p) {}

  /** Compares the engines of {@code table}, which is tested once. */
  public static PairwiseComparisons of(BlockTable table) {
    double alpha = 1 - Estimate.CONFIDENCE;
    return of(
        new BlockAnalysis(table, BlockAnalysis.COINCIDENCE),
        (hypotheses, inference) -> alpha / hypotheses,
        Map.of());
  }

  /**
   * Compares the engines of a table at {@code levels}. The verdicts in {@code settled}, of an
   * earlier look, are kept.
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
    int i = table.engines().indexOf(first);
    int j = table.engines().indexOf(second);
    if (i < 0 || j < 0 || i == j) {
      return PairVerdict.untested(Separation.UNTESTED, i == j && i >= 0 ? 1 : Double.NaN);
    }
    PairVerdict verdict = verdicts.get(new Pair(Math.min(i, j), Math.max(i, j)));
    if (verdict == null) {
      boolean few = Math.min(table.values(i).length, table.values(j).length) < BlockAnalysis.FEWEST;
      return PairVerdict.untested(
          few ? Separation.UNTESTED : Separation.NOT_SEPARATED, table.ratio(i, j));
    }
    return i < j ? verdict : verdict.reversed();
  }

  /** Returns whether {@code engine} is separated from {@code other} as better. */
  public boolean better(String engine, String other, Direction direction) {
    PairVerdict verdict = verdict(engine, other);
    return verdict.separated() && direction.compare(verdict.value(), 1) < 0;
  }
}
