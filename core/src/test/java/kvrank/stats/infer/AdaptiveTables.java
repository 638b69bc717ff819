package kvrank.stats.infer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import kvrank.stats.QualityFlag;
import kvrank.stats.Tables;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Plans whose values decide how often engines are repeated, followed on drawn tables; and the rule
 * that runs which others disturbed are repeated.
 */
public final class AdaptiveTables {

  /** By how much a planted engine is slower than the best one. */
  private static final List<Double> SLOWER = List.of(0.0, 0.05, 0.1, 0.2, 0.5);

  private AdaptiveTables() {}

  /** The noises that plans are compared on. */
  public static Map<String, Noise> noises() {
    RecordedNoise recorded = new RecordedNoise();
    Map<String, Noise> noises = new LinkedHashMap<>();
    noises.put("recorded", recorded.ofOneExecution());
    noises.put("recorded, in order", recorded.inOrder());
    noises.put("lognormal, 10 %", Noise.normal(0.1));
    return noises;
  }

  /** What a plan for 2 engines settles, each {@link #SLOWER} in turn. */
  public static String settledOfTwo(
      Noise noise, double ratio, int budget, int tables, RandomGenerator random) {
    List<double[]> pairs = SLOWER.stream().map(slower -> new double[] {0, slower}).toList();
    return settled(noise, pairs, ratio, budget, tables, random);
  }

  /** What a plan for 6 engines settles, of which two are equal. */
  public static String settledOfSix(
      Noise noise, double ratio, int budget, int tables, RandomGenerator random) {
    return settled(
        noise, List.of(new double[] {0, 0, 0.05, 0.1, 0.2, 0.5}), ratio, budget, tables, random);
  }

  /** What comparisons with the best came to, each table with the weight that it has. */
  private static final class Counts {
    private double separated;
    private double near;
    private double all;
    private double tables;
    private double falselySeparated;

    /** Adds a table; the share of its comparisons that are settled. */
    double add(PairwiseComparisons found, double[] slower, double ratio, double weight) {
      boolean wrong = false;
      for (int i = 0; i < slower.length; i++) {
        for (int j = i + 1; j < slower.length; j++) {
          PairVerdict verdict = found.verdict(Tables.engine(i), Tables.engine(j));
          double truth = Math.log((1 - slower[i]) / (1 - slower[j]));
          wrong |= verdict.separated() && (truth == 0 || truth > 0 != verdict.value() > 1);
        }
      }
      String best = Tables.best(found);
      double settled = 0;
      for (String engine : found.table().engines()) {
        if (!engine.equals(best)) {
          PairVerdict verdict = found.verdict(best, engine);
          boolean apart = verdict.separated();
          boolean known = apart || verdict.settled(ratio);
          separated += apart ? weight : 0;
          near += known && !apart ? weight : 0;
          settled += known ? weight / (slower.length - 1) : 0;
          all += weight;
        }
      }
      tables += weight;
      falselySeparated += wrong ? weight : 0;
      return settled;
    }

    @Override
    public String toString() {
      return "%.1f (%.1f)"
          .formatted(100 * (separated + near) / all, 100 * falselySeparated / tables);
    }
  }

  /**
   * Cells: the mean number of runs, what the plan settles, what as many runs of a fixed plan do.
   * Both plans see the same values.
   */
  private static String settled(
      Noise noise,
      List<double[]> scenarios,
      double ratio,
      int budget,
      int tables,
      RandomGenerator random) {
    SequentialPlan plan = new SequentialPlan(3, 20);
    Map<Integer, SequentialPlan> ended = new HashMap<>();
    int engines = scenarios.get(0).length;
    List<double[][]> drawn = new ArrayList<>();
    double[] more = new double[tables];
    Counts adaptive = new Counts();
    double runs = 0;
    for (int i = 0; i < tables; i++) {
      double[] slower = scenarios.get(i % scenarios.size());
      drawn.add(noise.plus(effects(slower)).draw(engines, plan.atMost(), random));
      Simulations.Followed followed =
          Simulations.follow(plan, drawn.get(i), ratio, budget * engines, ended);
      more[i] = adaptive.add(followed.found(), slower, ratio, 1);
      runs += followed.runs();
    }
    double mean = runs / tables / engines;
    int least = (int) mean;
    Counts fixed = new Counts();
    for (int i = 0; i < tables; i++) {
      double[] slower = scenarios.get(i % scenarios.size());
      for (int n : List.of(least, least + 1)) {
        BlockTable table = Tables.ofLogs(drawn.get(i)).blocks(block -> block.repetition() <= n);
        double weight = 1 - Math.abs(n - mean);
        more[i] -= fixed.add(PairwiseComparisons.of(table), slower, ratio, weight);
      }
    }
    return " %.1f | %s | %s | %+.1f ± %.1f |"
        .formatted(
            runs / tables,
            adaptive,
            fixed,
            100 * StatUtils.mean(more),
            196 * Math.sqrt(StatUtils.variance(more) / tables));
  }

  private static double[] effects(double[] slower) {
    return Arrays.stream(slower).map(x -> Math.log1p(-x)).toArray();
  }

  /** Is added to the logarithm of a run that is seen to be disturbed. */
  private static final double MARK = 1000;

  /**
   * Runs beside others who are busy in a share of them, each done at most {@code attempts} times
   * until others are seen to use less than a tenth of the machine; {@link #counted} leaves out
   * those that still are disturbed. The second of equal engines hides a part of what others do.
   *
   * @param seen the part that is seen; with 0, of no engine
   */
  public static Noise besideOthers(double busy, int attempts, double seen) {
    return (engines, blocks, random) -> {
      double[][] table = new double[engines][blocks];
      for (int e = 0; e < engines; e++) {
        double visible = e == 1 || seen == 0 ? seen : 1;
        for (int b = 0; b < blocks; b++) {
          double share;
          int attempt = 0;
          do {
            share = random.nextDouble() * (random.nextDouble() < busy ? 0.7 : 0.1);
          } while (++attempt < attempts && share * visible > QualityFlag.OTHERS);
          table[e][b] =
              Math.log1p(-share)
                  + 0.03 * random.nextGaussian()
                  + (share * visible > QualityFlag.OTHERS ? MARK : 0);
        }
      }
      return table;
    };
  }

  /** Leaves out disturbed runs if they are at most a third and every engine has three others. */
  public static double[][] counted(double[][] table) {
    double[] runs = Arrays.stream(table).flatMapToDouble(Arrays::stream).toArray();
    long measured = Arrays.stream(runs).filter(value -> !Double.isNaN(value)).count();
    long disturbed = Arrays.stream(runs).filter(value -> value > MARK / 2).count();
    boolean enough =
        Arrays.stream(table)
                .allMatch(row -> Arrays.stream(row).filter(value -> value < MARK / 2).count() >= 3)
            && 3 * disturbed <= measured;
    return Arrays.stream(table)
        .map(
            row ->
                Arrays.stream(row)
                    .map(value -> value > MARK / 2 ? (enough ? Double.NaN : value - MARK) : value)
                    .toArray())
        .toArray(double[][]::new);
  }

  /**
   * The difference from one engine that four of five looks at {@code n} separate, in deviations.
   */
  public static double detectable(int engines, int n, int most, int tables) {
    SequentialPlan plan = new SequentialPlan(3, most);
    double low = 0.5;
    double high = 40;
    while (high / low > 1.03) {
      double effect = Math.sqrt(low * high);
      double[] effects = new double[engines];
      effects[0] = 0.03 * effect;
      int found = 0;
      SplittableRandom random = new SplittableRandom(n);
      for (int i = 0; i < tables; i++) {
        double[][] logs = Noise.normal(0.03).plus(effects).draw(engines, n, random);
        PairwiseComparisons seen =
            n < most
                ? plan.comparisons(Tables.ofLogs(logs))
                : Simulations.follow(plan, logs, 1, Integer.MAX_VALUE, Map.of()).found();
        found += seen.verdict("e00", "e01").separated() ? 1 : 0;
      }
      if (found < 0.8 * tables) {
        low = effect;
      } else {
        high = effect;
      }
    }
    return high;
  }
}
