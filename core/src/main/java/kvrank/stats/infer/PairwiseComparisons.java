package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Direction;

/**
 * Comparisons of every two engines of a table ({@link BlockAnalysis}). The tables of one metric in
 * a report are a family: the probability of separating any two equal engines in any of them is at
 * most {@link #TABLES}, and so is the probability of calling any two different engines equal.
 *
 * <p>All pairs count, even if only those with the best are shown, because the same data choose the
 * best. Pairs are tested in steps, from the smallest p-value on, at the level divided by the number
 * of pairs that can still be equal if all earlier ones differ (J. P. Shaffer, "Modified
 * sequentially rejective multiple test procedures", Journal of the American Statistical Association
 * 81, 1986, procedure S2). The interval of a ratio has the level at which the pair was tested, so
 * it never contradicts the verdict. Two engines are equal if that interval is within a factor of
 * 1.1 around 1.
 *
 * @param executions the estimates of each execution
 * @param values the typical value of each engine; verdicts have their ratios
 * @param verdicts by the rows of the engines in the table, the lower row first
 */
public record PairwiseComparisons(
    BlockTable table,
    BlockTable executions,
    SortedMap<String, Double> values,
    Map<Pair, PairVerdict> verdicts) {

  /** The error rate of the tables of one metric. The rest of 5 % is {@link #ACROSS}'s. */
  public static final double TABLES = 0.04;

  /** The error rate of the comparisons across workloads. */
  public static final double ACROSS = 0.01;

  /** The level at which a pair is tested. */
  interface Levels {

    /**
     * Returns the level, 0 for no test.
     *
     * @param hypotheses the number of pairs that may be equal, including this
     */
    double of(int hypotheses, PairInference inference);
  }

  record Pair(int first, int second) {}

  private record Tested(int table, Pair pair, PairInference inference, double p) {}

  /** Returns {@code tables} without tests, and with the same values as those that are tested. */
  public static List<PairwiseComparisons> untested(List<BlockTable> tables) {
    return analyses(tables, BlockModel.COINCIDENCE).stream()
        .map(
            each ->
                new PairwiseComparisons(each.table(), each.executions(), each.values(), Map.of()))
        .toList();
  }

  /** Compares the engines of {@code table}, which is tested once and by itself. */
  public static PairwiseComparisons of(BlockTable table) {
    return of(List.of(table), TABLES).get(0);
  }

  /** Compares the engines of each of {@code tables}, which are tested once and share the error. */
  public static List<PairwiseComparisons> of(List<BlockTable> tables, double error) {
    return of(tables, BlockModel.COINCIDENCE, (hypotheses, inference) -> error / hypotheses);
  }

  /** Compares the engines of each of {@code tables}, which share {@code levels}. */
  static List<PairwiseComparisons> of(List<BlockTable> tables, double coincidence, Levels levels) {
    List<Tested> open = new ArrayList<>();
    List<EqualPairs> equal = new ArrayList<>();
    List<Map<Pair, PairVerdict>> verdicts = new ArrayList<>();
    List<SortedMap<String, Double>> values = new ArrayList<>();
    List<BlockAnalysis> analyses = analyses(tables, coincidence);
    for (int t = 0; t < tables.size(); t++) {
      BlockAnalysis analysis = analyses.get(t);
      values.add(analysis.values());
      int engines = tables.get(t).engines().size();
      equal.add(new EqualPairs(engines));
      verdicts.add(new LinkedHashMap<>());
      List<Pair> untested = new ArrayList<>();
      BitSet compared = new BitSet();
      for (int i = 0; i < engines; i++) {
        for (int j = i + 1; j < engines; j++) {
          Pair pair = new Pair(i, j);
          Optional<PairInference> inference = analysis.pair(i, j);
          if (inference.isEmpty()) {
            untested.add(pair);
          } else {
            open.add(new Tested(t, pair, inference.get(), inference.get().p()));
            compared.set(i);
            compared.set(j);
          }
        }
      }
      for (Pair pair : untested) {
        if (compared.get(pair.first()) && compared.get(pair.second())) {
          equal.get(t).untested();
        } else {
          equal.get(t).differ(pair.first(), pair.second()); // no hypothesis
        }
      }
    }
    open.sort(
        Comparator.comparingDouble(
            tested -> tested.p() / levels.of(open.size(), tested.inference())));
    double corrected = 0;
    int stopped = 0;
    int left = equal.stream().mapToInt(EqualPairs::left).sum();
    int[] counted = new int[tables.size()];
    int most = 0; // the sum of what is counted
    BitSet uncounted = new BitSet();
    uncounted.set(0, tables.size());
    for (Tested next : open) {
      int hypotheses = stopped == 0 ? left : stopped;
      if (stopped == 0) {
        boolean clear = next.p() <= levels.of(left, next.inference());
        if (!clear) {
          // Counting is slow, and seldom needed.
          for (int t = uncounted.nextSetBit(0); t >= 0; t = uncounted.nextSetBit(t + 1)) {
            most += equal.get(t).most() - counted[t];
            counted[t] = equal.get(t).most();
          }
          uncounted.clear();
          hypotheses = most;
        }
        if (!clear && next.p() > levels.of(hypotheses, next.inference())) {
          stopped = hypotheses;
        } else {
          equal.get(next.table()).differ(next.pair().first(), next.pair().second());
          uncounted.set(next.table());
          left--;
        }
      }
      corrected = Math.min(1, Math.max(corrected, hypotheses * next.p()));
      double level = levels.of(hypotheses, next.inference());
      verdicts
          .get(next.table())
          .put(
              next.pair(),
              level > 0
                  ? PairVerdict.of(next.inference(), stopped == 0, level, corrected, hypotheses)
                  : PairVerdict.untested(
                      Separation.NOT_SEPARATED, Math.exp(next.inference().shown())));
    }
    List<PairwiseComparisons> comparisons = new ArrayList<>();
    for (int t = 0; t < tables.size(); t++) {
      comparisons.add(
          new PairwiseComparisons(
              tables.get(t), analyses.get(t).executions(), values.get(t), verdicts.get(t)));
    }
    return comparisons;
  }

  /** Returns the analysis of each table, given what the noise in all of them shows. */
  private static List<BlockAnalysis> analyses(List<BlockTable> tables, double coincidence) {
    List<BlockAnalysis> analyses =
        tables.stream().map(table -> new BlockAnalysis(table, coincidence, tables.size())).toList();
    NoiseOfEngines unpaired = new NoiseOfEngines();
    NoiseOfEngines blocked = new NoiseOfEngines();
    analyses.forEach(analysis -> analysis.addTo(unpaired, blocked));
    analyses.forEach(analysis -> analysis.suppose(unpaired, blocked));
    return analyses;
  }

  /** Returns the logarithm of the estimate of {@code engine} in each of its executions. */
  public double[] estimates(String engine) {
    int row = table.engines().indexOf(engine);
    return row < 0 ? new double[0] : executions.values(row);
  }

  /**
   * Returns the logarithms of the repetitions of {@code engine} in each of its executions, moved so
   * that their mean is the estimate of the execution.
   */
  public List<double[]> byExecution(String engine) {
    int row = table.engines().indexOf(engine);
    if (row < 0) {
      return List.of();
    }
    double[] estimates = executions.values(row);
    List<double[]> moved = new ArrayList<>();
    for (double[] logs : table.byExecution(row)) {
      double distance = estimates[moved.size()] - BlockAnalysis.mean(logs);
      moved.add(Arrays.stream(logs).map(log -> log + distance).toArray());
    }
    return moved;
  }

  /**
   * Returns the comparisons of {@code other}, which has the same numbers in another form ({@link
   * BlockTable#powerOf} is not 0), and so the same verdicts.
   */
  public PairwiseComparisons sharedWith(BlockTable other) {
    int power = other.powerOf(table);
    SortedMap<String, Double> scaled = new TreeMap<>();
    List<double[]> estimates = new ArrayList<>();
    for (int row = 0; row < table.engines().size(); row++) {
      String engine = table.engines().get(row);
      double shift = other.shift(table, power, row);
      double value = values.get(engine);
      scaled.put(engine, power > 0 ? Math.exp(shift) * value : Math.exp(shift) / value);
      estimates.add(
          Arrays.stream(executions.logs().get(row)).map(log -> power * log + shift).toArray());
    }
    Map<Pair, PairVerdict> same = new LinkedHashMap<>();
    verdicts.forEach((pair, verdict) -> same.put(pair, power > 0 ? verdict : verdict.reversed()));
    BlockTable moved = new BlockTable(executions.engines(), executions.blocks(), estimates);
    return new PairwiseComparisons(other, moved, scaled, same);
  }

  public PairVerdict verdict(String first, String second) {
    int i = table.engines().indexOf(first);
    int j = table.engines().indexOf(second);
    if (i < 0 || j < 0 || i == j) {
      return PairVerdict.untested(Separation.UNTESTED, i == j && i >= 0 ? 1 : Double.NaN);
    }
    PairVerdict verdict = verdicts.get(new Pair(Math.min(i, j), Math.max(i, j)));
    if (verdict == null) {
      boolean few = table.shared(i, j).length < BlockAnalysis.FEWEST;
      return PairVerdict.untested(
          few ? Separation.UNTESTED : Separation.NOT_SEPARATED,
          values.get(first) / values.get(second));
    }
    return i < j ? verdict : verdict.reversed();
  }

  /** Returns whether {@code engine} is separated from {@code other} as better. */
  public boolean better(String engine, String other, Direction direction) {
    PairVerdict verdict = verdict(engine, other);
    return verdict.separated() && direction.compare(verdict.value(), 1) < 0;
  }
}
