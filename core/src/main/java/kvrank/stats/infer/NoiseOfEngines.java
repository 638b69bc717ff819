package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much noisier engines are in a test than the others of their tables, over the tables of a
 * report. An engine that is noisy elsewhere may show little noise in a few repetitions here. Its
 * quiet elsewhere counts for nothing.
 */
final class NoiseOfEngines {

  /** How many standard errors of the noise elsewhere are left to chance. */
  private static final double CHANCE = 0.5;

  /**
   * The kurtosis below which residuals are at two points. It is 1 for as many at each, 1.8 for a
   * uniform distribution, and 3 for a normal one.
   */
  private static final double TWO_POINTS = 2.2;

  /** The fewest residuals that show it: of fewer normal ones, the kurtosis is often below that. */
  private static final int FEWEST_RESIDUALS = 50;

  /**
   * What a table shows of an engine's noise.
   *
   * @param log the logarithm of its variance, less the mean of the table
   * @param chance the variance of {@code log} that few values cause
   * @param square its variance, times the number of its values
   */
  record Seen(String engine, double log, double chance, double square) {}

  private record Sum(double log, double chance, int tables) {
    Sum plus(Seen seen) {
      return new Sum(log + seen.log, chance + seen.chance, tables + 1);
    }
  }

  private final Map<String, Sum> sums = new TreeMap<>();

  /** The variances of all engines of all tables, each times its number of values. */
  private final List<Double> squares = new ArrayList<>();

  /**
   * The kurtosis of the residuals of each table, times their number; and the sum of the numbers.
   */
  private double kurtosis;

  private int residuals;

  /** By the numbers of engines and values of a table. */
  private final Map<List<Integer>, Double> speeds = new HashMap<>();

  void add(Seen seen) {
    squares.add(seen.square);
    speeds.clear();
    sums.put(seen.engine, sums.getOrDefault(seen.engine, new Sum(0, 0, 0)).plus(seen));
  }

  /** Adds the kurtosis of {@code number} residuals of a table. */
  void add(double ofTable, int number) {
    kurtosis += number * ofTable;
    residuals += number;
  }

  /**
   * Returns whether residuals are at two points rather than around one, as on a machine of two
   * speeds. All engines have its noise, and one that was mostly fast or mostly slow shows too
   * little.
   */
  boolean ofTwoPoints() {
    return residuals >= FEWEST_RESIDUALS && kurtosis < TWO_POINTS * residuals;
  }

  /**
   * Returns the difference of two engines that two speeds explain in tables of {@code m} engines
   * with {@code n} values, as all tables show it ({@link TwoSpeeds#ofReport}). The report has few
   * such shapes, and many tables.
   */
  double speeds(int m, int n, double coincidence, int tables) {
    return speeds.computeIfAbsent(
        List.of(m, n),
        any ->
            TwoSpeeds.ofReport(
                squares.stream().mapToDouble(Double::doubleValue).toArray(),
                m,
                n,
                coincidence,
                tables));
  }

  /** Returns the mean of the engine's logarithms in the other tables, less chance; at least 0. */
  double elsewhere(Seen seen) {
    Sum all = sums.get(seen.engine);
    int others = all.tables() - 1;
    double error = Math.sqrt(Math.max(0, all.chance() - seen.chance));
    return others == 0 ? 0 : Math.max(0, (all.log() - seen.log - CHANCE * error) / others);
  }
}
