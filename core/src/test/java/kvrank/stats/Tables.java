package kvrank.stats;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.PairVerdict;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.stats.infer.RepetitionBlock;

/** Tables as tests need them; engine i is called {@code e00}, {@code e01} … */
public final class Tables {

  private Tables() {}

  public static String engine(int i) {
    return "e%02d".formatted(i);
  }

  /** One execution; rows are engines, columns are repetitions, NaN is a missing one. */
  public static BlockTable of(double[][] values) {
    return ofLogs(map(values, Math::log));
  }

  /** One execution of logarithms. */
  public static BlockTable ofLogs(double[][] logs) {
    return ofLogs(logs, logs[0].length);
  }

  /** Executions of these numbers of repetitions, one after the other. */
  public static BlockTable ofLogs(double[][] logs, int repetitions) {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> values = new TreeMap<>();
    for (int e = 0; e < logs.length; e++) {
      SortedMap<RepetitionBlock, Double> row = new TreeMap<>();
      for (int b = 0; b < logs[e].length; b++) {
        if (!Double.isNaN(logs[e][b])) {
          row.put(new RepetitionBlock(b / repetitions, b % repetitions + 1), Math.exp(logs[e][b]));
        }
      }
      values.put(engine(e), row);
    }
    return BlockTable.of(values);
  }

  private static double[][] map(double[][] values, java.util.function.DoubleUnaryOperator each) {
    double[][] mapped = new double[values.length][];
    for (int e = 0; e < values.length; e++) {
      mapped[e] = java.util.Arrays.stream(values[e]).map(each).toArray();
    }
    return mapped;
  }

  /**
   * The engines that are neither separated from the one that beats most, nor equal to it, nor set
   * aside.
   *
   * @param left how many more repetitions two engines can have
   */
  public static SortedSet<String> undecided(PairwiseComparisons found, int left) {
    return undecided(found, PairVerdict.EQUAL, left);
  }

  /** The same where it is enough to know that two are so near. */
  public static SortedSet<String> undecided(PairwiseComparisons found, double ratio, int left) {
    String best = best(found);
    SortedSet<String> undecided = new TreeSet<>();
    for (String engine : found.table().engines()) {
      PairVerdict verdict = found.verdict(best, engine);
      if (!engine.equals(best) && !verdict.settled(ratio) && !verdict.outOfReach(ratio, left)) {
        undecided.addAll(List.of(best, engine));
      }
    }
    return undecided;
  }

  /** The engine that beats most. */
  public static String best(PairwiseComparisons found) {
    List<String> engines = found.table().engines();
    return Collections.max(
        engines,
        Comparator.<String>comparingLong(
                each -> engines.stream().filter(o -> found.verdict(each, o).value() > 1).count())
            .thenComparing(Comparator.reverseOrder()));
  }

  /** Whether any two engines are separated. */
  public static boolean anySeparated(PairwiseComparisons comparisons) {
    return comparisons.verdicts().values().stream().anyMatch(PairVerdict::separated);
  }
}
