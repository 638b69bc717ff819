package kvrank.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Prints what {@code docs/method.md} says of repetitions until the answer is known, against as many
 * repetitions of all engines in the same time, on recorded noise; what the rule comes to that runs
 * which others disturbed are done again; and how large a difference such plans find. The argument
 * is how many tables are drawn for each figure.
 */
final class AdaptiveTables {

  /** By how much a planted engine is slower than the best one. */
  private static final List<Double> SLOWER = List.of(0.0, 0.05, 0.1, 0.2, 0.5);

  private AdaptiveTables() {}

  public static void main(String[] args) {
    int tables = Integer.parseInt(args[0]);
    Locale.setDefault(Locale.ROOT);
    if (args.length > 1) {
      detectable(tables);
      return;
    }
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
            String what = "%s, until %.1fx".formatted(name, ratio);
            settled(what + ", 2 engines", noise, pairs, ratio, tables);
            settled(what + ", 6 engines", noise, six, ratio, tables / 4);
          });
    }
    repeated(tables);
  }

  /** What comparisons with the best came to. */
  private static final class Counts {
    private final int[] separated = new int[SLOWER.size()];
    private final int[] near = new int[SLOWER.size()];
    private final int[] all = new int[SLOWER.size()];
    private int tables;
    private int falselySeparated;
    private int falselyEqual;
    private double runs;

    void add(PairwiseComparisons found, double[] slower, double ratio, double spent) {
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
      int best = Integer.parseInt(Tables.best(found).substring(1));
      for (int e = 0; e < slower.length; e++) {
        if (e != best) {
          PairVerdict verdict = found.verdict(Tables.engine(best), Tables.engine(e));
          int column = SLOWER.indexOf(Math.max(slower[e], slower[best]));
          separated[column] += verdict.separated() ? 1 : 0;
          near[column] += !verdict.separated() && verdict.settled(ratio) ? 1 : 0;
          all[column]++;
        }
      }
      tables++;
      falselySeparated += wrong ? 1 : 0;
      falselyEqual += equal ? 1 : 0;
      runs += spent;
    }

    void print(String name) {
      StringBuilder row = new StringBuilder("| %s, %.1f runs |".formatted(name, runs / tables));
      int settled = 0;
      for (int c = 0; c < all.length; c++) {
        settled += separated[c] + near[c];
        row.append(
            " %.0f + %.0f |".formatted(100.0 * separated[c] / all[c], 100.0 * near[c] / all[c]));
      }
      System.out.printf(
          "%s **%.0f** | %.1f | %.1f |%n",
          row,
          100.0 * settled / Arrays.stream(all).sum(),
          100.0 * falselySeparated / tables,
          100.0 * falselyEqual / tables);
    }
  }

  private static void settled(
      String name, Noise noise, List<double[]> scenarios, double ratio, int tables) {
    SequentialPlan plan = new SequentialPlan(3, 20);
    SplittableRandom random = new SplittableRandom(20261122);
    Counts adaptive = new Counts();
    for (int i = 0; i < tables; i++) {
      double[] slower = scenarios.get(i % scenarios.size());
      double[][] logs = noise.plus(effects(slower)).draw(slower.length, plan.atMost(), random);
      double[][] measured = new double[slower.length][plan.atMost()];
      for (int e = 0; e < slower.length; e++) {
        Arrays.fill(measured[e], Double.NaN);
        System.arraycopy(logs[e], 0, measured[e], 0, 3);
      }
      PairwiseComparisons found = plan.comparisons(Tables.ofLogs(measured));
      for (int blocks = 3; blocks < plan.atMost(); blocks++) {
        Set<String> needed = Tables.undecided(found, ratio);
        for (int e = 0; e < slower.length; e++) {
          if (needed.contains(Tables.engine(e))) {
            measured[e][blocks] = logs[e][blocks];
          }
        }
        if (needed.isEmpty()) {
          break;
        }
        found = plan.comparisons(Tables.ofLogs(measured));
      }
      adaptive.add(found, slower, ratio, (double) runs(measured));
    }
    int engines = scenarios.get(0).length;
    int n = (int) Math.ceil(adaptive.runs / tables / engines);
    Counts fixed = new Counts();
    for (int i = 0; i < tables; i++) {
      double[] slower = scenarios.get(i % scenarios.size());
      double[][] logs = noise.plus(effects(slower)).draw(engines, n, random);
      fixed.add(PairwiseComparisons.of(Tables.ofLogs(logs)), slower, ratio, n * engines);
    }
    adaptive.print(name + ", adaptive");
    fixed.print(name + ", fixed");
  }

  private static long runs(double[][] measured) {
    return Arrays.stream(measured)
        .flatMapToDouble(Arrays::stream)
        .filter(value -> !Double.isNaN(value))
        .count();
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
                          * Simulations.sequential(
                                  noise,
                                  new double[3],
                                  new SequentialPlan(3, 20),
                                  tables / 4,
                                  new SplittableRandom(8))
                              .separated()));
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
              found +=
                  plan.comparisons(Tables.ofLogs(logs)).verdict("e00", "e01").separated() ? 1 : 0;
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
