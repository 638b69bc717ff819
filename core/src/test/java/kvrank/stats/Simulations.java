package kvrank.stats;

import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.inference.TTest;

/** Tables whose truth is known, and what is found in them. */
final class Simulations {

  private Simulations() {}

  /** The share of tables of equal engines in which any two are separated. */
  static double separated(
      Noise noise, int engines, int blocks, int tables, RandomGenerator random) {
    int separated = 0;
    for (int i = 0; i < tables; i++) {
      BlockTable table = Tables.ofLogs(noise.draw(engines, blocks, random));
      separated += Tables.anySeparated(PairwiseComparisons.of(table)) ? 1 : 0;
    }
    return (double) separated / tables;
  }

  /** The share of tables that call the first engine equal to any of those it beats by 1.1. */
  static double falselyEqual(
      Noise noise, int engines, int blocks, int tables, RandomGenerator random) {
    Noise better = noise.plus(effects(engines, PairVerdict.EQUAL));
    int equal = 0;
    for (int i = 0; i < tables; i++) {
      PairwiseComparisons found =
          PairwiseComparisons.of(Tables.ofLogs(better.draw(engines, blocks, random)));
      boolean any = false;
      for (int e = 1; e < engines; e++) {
        any |= found.verdict("e00", Tables.engine(e)).kind() == Separation.EQUAL;
      }
      equal += any ? 1 : 0;
    }
    return (double) equal / tables;
  }

  /** The logarithms by which the first engine is better than all others. */
  private static double[] effects(int engines, double ratio) {
    double[] effects = new double[engines];
    effects[0] = Math.log(ratio);
    return effects;
  }

  /**
   * The share of pairs with a difference that are separated.
   *
   * @param welch the same by Welch's test of every pair, with Holm's correction
   */
  record Power(double found, double welch) {}

  /** The power where all engines but the first are slower by the share {@code slower}. */
  static Power power(
      Noise noise, int engines, int blocks, double slower, int tables, RandomGenerator random) {
    Noise better = noise.plus(effects(engines, 1 / (1 - slower)));
    int found = 0;
    int welch = 0;
    for (int i = 0; i < tables; i++) {
      double[][] logs = better.draw(engines, blocks, random);
      PairwiseComparisons comparisons = PairwiseComparisons.of(Tables.ofLogs(logs));
      boolean[] reference = welch(logs);
      for (int e = 1; e < engines; e++) {
        found += comparisons.verdict("e00", Tables.engine(e)).separated() ? 1 : 0;
        welch += reference[e - 1] ? 1 : 0;
      }
    }
    double pairs = (double) tables * (engines - 1);
    return new Power(found / pairs, welch / pairs);
  }

  /**
   * The difference of one engine that is found in 80 % of tables, as if all other pairs were equal,
   * in standard deviations of the noise.
   */
  static double detectable(int engines, int blocks, int tables, RandomGenerator random) {
    double noise = 0.03;
    double level = 0.05 / (engines * (engines - 1) / 2.0);
    double[] needed = new double[tables];
    for (int i = 0; i < tables; i++) {
      double[][] logs = Noise.normal(noise).draw(engines, blocks, random);
      PairTest test =
          new BlockAnalysis(Tables.ofLogs(logs), BlockAnalysis.COINCIDENCE)
              .pair(0, 1)
              .orElseThrow();
      needed[i] = (test.halfWidth(level) - test.difference()) / noise;
    }
    return new Percentile(80).evaluate(needed);
  }

  /** Which pairs Welch's test separates: those with the first engine come first. */
  private static boolean[] welch(double[][] logs) {
    int engines = logs.length;
    double[] p = new double[engines * (engines - 1) / 2];
    int pair = 0;
    for (int i = 0; i < engines; i++) {
      for (int j = i + 1; j < engines; j++) {
        p[pair++] = new TTest().tTest(logs[i], logs[j]);
      }
    }
    double[] corrected = MultipleTesting.holm(p);
    boolean[] separated = new boolean[p.length];
    for (int i = 0; i < p.length; i++) {
      separated[i] = corrected[i] <= 0.05;
    }
    return separated;
  }

  /** Executions that shift each engine by 5 %, with noise of 2 % in each; no engine is better. */
  static BlockTable executions(
      int engines, int executions, int repetitions, RandomGenerator random) {
    double[][] logs = Noise.normal(0.02).draw(engines, executions * repetitions, random);
    for (double[] row : logs) {
      for (int x = 0; x < executions; x++) {
        double shift = 0.05 * random.nextGaussian();
        for (int r = 0; r < repetitions; r++) {
          row[x * repetitions + r] += shift;
        }
      }
    }
    return Tables.ofLogs(logs, repetitions);
  }

  /**
   * What plans came to.
   *
   * @param separated the share of them that separated any two equal engines
   * @param runs how many runs a plan took, on average
   */
  record Sequential(double separated, double runs) {}

  /** Follows {@code plan}: only engines of open questions go on. */
  static Sequential sequential(
      Noise noise, double[] effects, SequentialPlan plan, int plans, RandomGenerator random) {
    int separated = 0;
    double runs = 0;
    for (int i = 0; i < plans; i++) {
      double[][] logs = noise.plus(effects).draw(effects.length, plan.atMost(), random);
      double[][] measured = new double[effects.length][plan.atMost()];
      for (int e = 0; e < effects.length; e++) {
        Arrays.fill(measured[e], Double.NaN);
        System.arraycopy(logs[e], 0, measured[e], 0, plan.atLeast());
      }
      int blocks = plan.atLeast();
      while (true) {
        PairwiseComparisons found = plan.comparisons(Tables.ofLogs(measured));
        Set<String> needed = Tables.undecided(found);
        if (needed.isEmpty() || blocks == plan.atMost()) {
          separated += anyFalse(found, effects) ? 1 : 0;
          break;
        }
        for (int e = 0; e < effects.length; e++) {
          if (needed.contains(Tables.engine(e))) {
            measured[e][blocks] = logs[e][blocks];
          }
        }
        blocks++;
      }
      runs +=
          Arrays.stream(measured)
              .flatMapToDouble(Arrays::stream)
              .filter(v -> !Double.isNaN(v))
              .count();
    }
    return new Sequential((double) separated / plans, runs / plans);
  }

  private static boolean anyFalse(PairwiseComparisons found, double[] effects) {
    return found.verdicts().entrySet().stream()
        .anyMatch(
            each ->
                each.getValue().separated()
                    && effects[each.getKey().first()] == effects[each.getKey().second()]);
  }
}
