package kvrank.stats.infer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import kvrank.stats.Tables;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.inference.TTest;

/** Tables whose truth is known, and what is found in them. */
public final class Simulations {

  private Simulations() {}

  /** The share of tables of equal engines in which any two are separated. */
  public static double separated(
      Noise noise, int engines, int blocks, int tables, RandomGenerator random) {
    int separated = 0;
    for (int i = 0; i < tables; i++) {
      BlockTable table = Tables.ofLogs(noise.draw(engines, blocks, random));
      separated += Tables.anySeparated(PairwiseComparisons.of(table)) ? 1 : 0;
    }
    return (double) separated / tables;
  }

  /**
   * The share of reports in which any two equal engines are separated in any phase.
   *
   * @param apart whether only the first two engines are equal, and the others are far apart
   */
  public static double separatedInReports(
      Noise noise,
      int engines,
      int blocks,
      int phases,
      boolean apart,
      int reports,
      RandomGenerator random) {
    double[] effects = new double[engines];
    Arrays.setAll(effects, e -> apart && e > 1 ? -2 * (e - 1) : 0);
    int separated = 0;
    for (int i = 0; i < reports; i++) {
      List<BlockTable> tables =
          Stream.generate(() -> noise.plus(effects).draw(engines, blocks, random))
              .limit(phases)
              .map(Tables::ofLogs)
              .toList();
      separated +=
          PairwiseComparisons.of(tables, PairwiseComparisons.TABLES).stream()
                  .anyMatch(
                      found ->
                          apart
                              ? found.verdict("e00", "e01").separated()
                              : Tables.anySeparated(found))
              ? 1
              : 0;
    }
    return (double) separated / reports;
  }

  /**
   * The share of tables that separate any two equal engines, if the engines come in pairs of equal
   * ones that are far apart.
   */
  public static double separatedPairs(
      Noise noise, int engines, int blocks, int tables, RandomGenerator random) {
    double[] effects = Noise.pairs(engines);
    int separated = 0;
    for (int i = 0; i < tables; i++) {
      PairwiseComparisons found =
          PairwiseComparisons.of(Tables.ofLogs(noise.plus(effects).draw(engines, blocks, random)));
      boolean any = false;
      for (int e = 0; e + 1 < engines; e += 2) {
        any |= found.verdict(Tables.engine(e), Tables.engine(e + 1)).separated();
      }
      separated += any ? 1 : 0;
    }
    return (double) separated / tables;
  }

  /** The share of tables that call the first engine equal to any of those it beats by 1.1. */
  public static double falselyEqual(
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
  public record Power(double found, double welch) {}

  /** The power where all engines but the first are slower by the share {@code slower}. */
  public static Power power(
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
  public static double detectable(int engines, int blocks, int tables, RandomGenerator random) {
    double noise = 0.03;
    double level = 0.05 / (engines * (engines - 1) / 2.0);
    double[] needed = new double[tables];
    for (int i = 0; i < tables; i++) {
      double[][] logs = Noise.normal(noise).draw(engines, blocks, random);
      PairInference test =
          new BlockAnalysis(Tables.ofLogs(logs), BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
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
   * The share of merged executions that separate two equal engines of several, of which one has
   * three repetitions and the others ten, while the machine gets slower by {@code drift}.
   */
  static double separatedInDrift(
      int engines, int executions, double drift, int tables, RandomGenerator random) {
    int separated = 0;
    for (int i = 0; i < tables; i++) {
      double[][] logs = Noise.normal(0.02).draw(engines, 10 * executions, random);
      for (int e = 0; e < engines; e++) {
        for (int x = 0; x < executions; x++) {
          double shift = 0.03 * random.nextGaussian() - Math.max(0, e - 1);
          for (int r = 0; r < 10; r++) {
            logs[e][10 * x + r] += e == 0 && r > 2 ? Double.NaN : shift - drift * r / 9;
          }
        }
      }
      separated +=
          PairwiseComparisons.of(Tables.ofLogs(logs, 10)).verdict("e00", "e01").separated() ? 1 : 0;
    }
    return (double) separated / tables;
  }

  /** A plan that was followed: what it found, and how many runs that took. */
  record Followed(PairwiseComparisons found, int runs) {}

  /**
   * Follows {@code plan} through {@code logs}: only engines of open questions go on.
   *
   * @param ratio how near two engines may be for their comparison to be settled
   * @param budget how many runs there is time for
   * @param ended the plans that end early, by when they do
   */
  static Followed follow(
      SequentialPlan plan,
      double[][] logs,
      double ratio,
      int budget,
      Map<Integer, SequentialPlan> ended) {
    return follow(plan, logs, UnaryOperator.identity(), ratio, budget, ended);
  }

  private static Followed follow(
      SequentialPlan plan,
      double[][] logs,
      UnaryOperator<double[][]> counted,
      double ratio,
      int budget,
      Map<Integer, SequentialPlan> ended) {
    double[][] measured = new double[logs.length][plan.atMost()];
    for (int e = 0; e < logs.length; e++) {
      Arrays.fill(measured[e], Double.NaN);
      System.arraycopy(logs[e], 0, measured[e], 0, plan.atLeast());
    }
    int runs = plan.atLeast() * logs.length;
    for (int blocks = plan.atLeast(); ; blocks++) {
      PairwiseComparisons found = plan.comparisons(Tables.ofLogs(counted.apply(measured)));
      int left = Math.min(plan.atMost() - blocks, Math.max(1, (budget - runs) / 2));
      Set<String> needed =
          blocks == plan.atMost() ? Set.of() : Tables.undecided(found, ratio, left);
      if (needed.isEmpty()) {
        return new Followed(found, runs);
      }
      if (runs + needed.size() > budget) {
        SequentialPlan over = ended.computeIfAbsent(blocks, plan::ended);
        return new Followed(over.comparisons(Tables.ofLogs(counted.apply(measured))), runs);
      }
      for (int e = 0; e < logs.length; e++) {
        if (needed.contains(Tables.engine(e))) {
          measured[e][blocks] = logs[e][blocks];
        }
      }
      runs += needed.size();
    }
  }

  /**
   * Cells: how often a plan of 3 to 20 repetitions separates two engines with a noise of 3 %, the
   * mean ratio that it shows then, and how often the interval at the end holds the truth.
   */
  public static String stopped(double truth, int plans, RandomGenerator random) {
    SequentialPlan plan = new SequentialPlan(3, 20);
    Noise noise = Noise.normal(0.03).plus(new double[] {Math.log(truth), 0});
    double[] separated = new double[3]; // number, sum of logarithms, intervals that hold
    int holds = 0;
    for (int i = 0; i < plans; i++) {
      double[][] logs = noise.draw(2, plan.atMost(), random);
      PairVerdict verdict =
          follow(plan, logs, PairVerdict.EQUAL, Integer.MAX_VALUE, Map.of())
              .found()
              .verdict("e00", "e01");
      boolean held = verdict.ratio().low() <= truth && truth <= verdict.ratio().high();
      holds += held ? 1 : 0;
      if (verdict.separated()) {
        separated[0]++;
        separated[1] += Math.log(verdict.value());
        separated[2] += held ? 1 : 0;
      }
    }
    return " %.1f | %.3fx | %.1f | %.1f |"
        .formatted(
            100 * separated[0] / plans,
            Math.exp(separated[1] / separated[0]),
            100.0 * holds / plans,
            100 * separated[2] / separated[0]);
  }

  /** The share of plans of equal engines that separate any two, of 3 to 20 repetitions. */
  public static double followed(
      Noise noise, int engines, int budget, int plans, RandomGenerator random) {
    return followed(noise, UnaryOperator.identity(), engines, budget, plans, random);
  }

  /**
   * The same for noise of which not every value counts.
   *
   * @param counted chooses the values that count of those measured so far
   */
  public static double followed(
      Noise noise,
      UnaryOperator<double[][]> counted,
      int engines,
      int budget,
      int plans,
      RandomGenerator random) {
    SequentialPlan plan = new SequentialPlan(3, 20);
    Map<Integer, SequentialPlan> ended = new HashMap<>();
    int separated = 0;
    for (int i = 0; i < plans; i++) {
      double[][] logs = noise.draw(engines, plan.atMost(), random);
      Followed followed = follow(plan, logs, counted, PairVerdict.EQUAL, budget, ended);
      separated += Tables.anySeparated(followed.found()) ? 1 : 0;
    }
    return (double) separated / plans;
  }
}
