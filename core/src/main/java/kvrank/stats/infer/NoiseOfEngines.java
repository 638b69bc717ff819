package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much noisier engines are than the others of their tables, over the tables of a report. An
 * engine that is noisy elsewhere may show little noise in a few repetitions here. Its quiet
 * elsewhere counts for nothing.
 */
final class NoiseOfEngines {

  /** How many standard errors of the noise elsewhere are left to chance. */
  private static final double CHANCE = 0.5;

  /**
   * Receives the logarithm of an engine's variance by test, less the mean of its table, and the
   * variance times the number of values.
   */
  @FunctionalInterface
  interface Visitor {
    void visit(int test, String engine, double log, double chance, double square);
  }

  private record Sum(double log, double chance, int tables) {
    Sum plus(double more, double moreChance) {
      return new Sum(log + more, chance + moreChance, tables + 1);
    }
  }

  private final List<Map<String, Sum>> sums = List.of(new TreeMap<>(), new TreeMap<>());
  private final List<List<Double>> squares = List.of(new ArrayList<>(), new ArrayList<>());

  void add(int test, String engine, double log, double chance, double square) {
    squares.get(test).add(square);
    Sum before = sums.get(test).getOrDefault(engine, new Sum(0, 0, 0));
    sums.get(test).put(engine, before.plus(log, chance));
  }

  /** Returns the variances of all engines of all tables, each times its number of values. */
  double[] squares(int test) {
    return squares.get(test).stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Returns the mean over the other tables, less chance; at least 0. */
  double elsewhere(int test, String engine, double log, double chance) {
    Sum all = sums.get(test).get(engine);
    int others = all.tables() - 1;
    double error = Math.sqrt(Math.max(0, all.chance() - chance));
    return others == 0 ? 0 : Math.max(0, (all.log() - log - CHANCE * error) / others);
  }
}
