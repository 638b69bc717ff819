package kvrank.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Prints what {@code docs/method.md} says of repetitions until the answer is known, against as many
 * repetitions of all engines in the same time, on recorded noise; what the rule comes to that runs
 * which others disturbed are done again; and how large a difference such plans find. The arguments
 * are how many tables are drawn for each figure, and which: {@code settled}, {@code equal} engines
 * that are separated, {@code repeated} or {@code detectable}.
 */
final class AdaptiveTables {

  /** For how many repetitions of all engines there is time; the most of a plan for no budget. */
  private static final List<Integer> BUDGETS = List.of(20, 8);

  /** By how much a planted engine is slower than the best one. */
  private static final List<Double> SLOWER = List.of(0.0, 0.05, 0.1, 0.2, 0.5);

  private AdaptiveTables() {}

  public static void main(String[] args) {
    int tables = Integer.parseInt(args[0]);
    Locale.setDefault(Locale.ROOT);
    switch (args[1]) {
      case "settled" -> settled(tables);
      case "equal" -> equal(tables);
      case "repeated" -> repeated(tables);
      default -> detectable(tables);
    }
  }

  private static void settled(int tables) {
    RecordedNoise recorded = new RecordedNoise();
    Map<String, Noise> noises = new LinkedHashMap<>();
    noises.put("recorded, by execution", recorded.ofOneExecution());
    noises.put("recorded, in order", recorded.inOrder());
    noises.put("lognormal, 3 %", Noise.normal(0.03));
    noises.put("lognormal, 10 %", Noise.normal(0.1));
    List<Noise> any = List.copyOf(noises.values());
    noises.put(
        "any of these",
        (engines, blocks, random) ->
            any.get(random.nextInt(any.size())).draw(engines, blocks, random));
    List<double[]> pairs = new ArrayList<>();
    SLOWER.forEach(slower -> pairs.add(new double[] {0, slower}));
    List<double[]> six = List.of(new double[] {0, 0, 0.05, 0.1, 0.2, 0.5});
    for (double ratio : List.of(PairVerdict.EQUAL, 1.5)) {
      noises.forEach(
          (name, noise) -> {
            for (int budget : BUDGETS) {
              String what = "%s, until %.1fx, budget %d".formatted(name, ratio, budget);
              settled(what + ", 2 engines", noise, pairs, ratio, budget, tables);
              settled(what + ", 6 engines", noise, six, ratio, budget, tables / 2);
            }
          });
    }
  }

  /** Prints in which share of plans equal engines are separated. */
  private static void equal(int tables) {
    Noise.all()
        .forEach(
            (name, noise) -> {
              StringBuilder row = new StringBuilder("| %s |".formatted(name));
              for (int engines : List.of(2, 3, 5, 12)) {
                int plans = engines == 12 ? tables / 4 : tables;
                for (int budget : BUDGETS) {
                  SplittableRandom random = new SplittableRandom(20261124);
                  double share =
                      Simulations.followed(noise, engines, budget * engines, plans, random);
                  row.append(
                      (budget == BUDGETS.get(0) ? " %.1f" : " / %.1f |").formatted(100 * share));
                }
              }
              System.out.println(row);
            });
  }

  /** What comparisons with the best came to, each table with the weight that it has. */
  private static final class Counts {
    private double separated;
    private double near;
    private double all;
    private double tables;
    private double falselySeparated;
    private double falselyEqual;

    /** Adds a table; the share of its comparisons that are settled. */
    double add(PairwiseComparisons found, double[] slower, double ratio, double weight) {
      boolean wrong = false;
      boolean equal = false;
      for (int i = 0; i < slower.length; i++) {
        for (int j = i + 1; j < slower.length; j++) {
          PairVerdict verdict = found.verdict(Tables.engine(i), Tables.engine(j));
          double truth = Math.log((1 - slower[i]) / (1 - slower[j]));
          wrong |= verdict.separated() && (truth == 0 || truth > 0 != verdict.value() > 1);
          equal |= verdict.kind() == Separation.EQUAL && truth > Math.log(PairVerdict.EQUAL);
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
      falselyEqual += equal ? weight : 0;
      return settled;
    }

    @Override
    public String toString() {
      return "%.0f + %.0f = **%.1f** (%.1f, %.1f) |"
          .formatted(
              100 * separated / all,
              100 * near / all,
              100 * (separated + near) / all,
              100 * falselySeparated / tables,
              100 * falselyEqual / tables);
    }
  }

  /** Both plans see the same values, and the fixed one has as many runs as the other on average. */
  private static void settled(
      String name, Noise noise, List<double[]> scenarios, double ratio, int budget, int tables) {
    SequentialPlan plan = new SequentialPlan(3, BUDGETS.get(0));
    Map<Integer, SequentialPlan> ended = new HashMap<>();
    SplittableRandom random = new SplittableRandom(20261122);
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
    System.out.printf(
        "| %s | %.1f runs | %s %s %+.1f ± %.1f |%n",
        name,
        runs / tables,
        adaptive,
        fixed,
        100 * StatUtils.mean(more),
        196 * Math.sqrt(StatUtils.variance(more) / tables));
  }

  private static double[] effects(double[] slower) {
    return Arrays.stream(slower).map(x -> Math.log1p(-x)).toArray();
  }

  /**
   * Runs beside others who are busy in a share of them, each done at most three times until others
   * are seen to use less than a tenth of the machine; of two equal engines the second hides a part
   * of what others do.
   */
  private static Noise besideOthers(double busy, boolean again, double seen) {
    return (engines, blocks, random) -> {
      double[][] table = new double[engines][blocks];
      for (int e = 0; e < engines; e++) {
        for (int b = 0; b < blocks; b++) {
          double share;
          int attempt = 0;
          do {
            share = random.nextDouble() * (random.nextDouble() < busy ? 0.7 : 0.1);
          } while (again && share * (e == 1 ? seen : 1) > QualityFlag.OTHERS && ++attempt < 3);
          table[e][b] = Math.log1p(-share) + 0.03 * random.nextGaussian();
        }
      }
      return table;
    };
  }

  private static void repeated(int tables) {
    for (double seen : List.of(1.0, 0.7, 0.3)) {
      for (double busy : List.of(0.3, 0.6, 0.9)) {
        StringBuilder row = new StringBuilder("| %.0f %%, seen %.1f |".formatted(100 * busy, seen));
        for (boolean again : List.of(false, true)) {
          Noise noise = besideOthers(busy, again, seen);
          for (int n : List.of(3, 5, 10)) {
            RandomGenerator random = new SplittableRandom(7);
            double share = Simulations.separated(noise, 3, n, tables, random);
            row.append(" %.1f |".formatted(100 * share));
          }
          row.append(
              " plan %.1f |"
                  .formatted(
                      100
                          * Simulations.followed(
                              noise, 3, Integer.MAX_VALUE, tables / 4, new SplittableRandom(8))));
          row.append(
              " found 20 %%: %.0f |"
                  .formatted(
                      100
                          * Simulations.power(noise, 3, 5, 0.2, tables, new SplittableRandom(9))
                              .found()));
        }
        System.out.println(row);
      }
    }
  }

  /** The difference from one engine that four of five plans separate, in deviations, by looks. */
  private static void detectable(int tables) {
    for (int engines : List.of(2, 3, 5)) {
      for (int most : List.of(10, 20)) {
        SequentialPlan plan = new SequentialPlan(3, most);
        Map<Integer, Double> at = new TreeMap<>();
        for (int n : List.of(3, 4, 5, most)) {
          double low = 0.5;
          double high = 40;
          while (high / low > 1.03) {
            double effect = Math.sqrt(low * high);
            int found = 0;
            SplittableRandom random = new SplittableRandom(n);
            for (int i = 0; i < tables / 5; i++) {
              double[] effects = new double[engines];
              effects[0] = 0.03 * effect;
              double[][] logs = Noise.normal(0.03).plus(effects).draw(engines, n, random);
              PairwiseComparisons seen =
                  n < most
                      ? plan.comparisons(Tables.ofLogs(logs))
                      : Simulations.follow(plan, logs, 1, Integer.MAX_VALUE, Map.of()).found();
              found += seen.verdict("e00", "e01").separated() ? 1 : 0;
            }
            if (found < 0.8 * (tables / 5.0)) {
              low = effect;
            } else {
              high = effect;
            }
          }
          at.put(n, high);
        }
        System.out.println(
            engines
                + " engines, at most "
                + most
                + ": "
                + at.entrySet().stream()
                    .map(
                        e ->
                            "n=%d %.2f (%.2f)"
                                .formatted(
                                    e.getKey(),
                                    e.getValue(),
                                    Math.log(DetectableRatio.of(engines, e.getKey(), 1))))
                    .toList());
      }
    }
  }
}
