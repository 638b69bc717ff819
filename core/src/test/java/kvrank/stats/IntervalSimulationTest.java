package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.metric.Metrics;
import kvrank.stats.Populations.Population;
import org.junit.jupiter.api.Test;

/**
 * Whether intervals and verdicts keep what they promise, by drawing from known distributions. The
 * figures in {@code docs/method.md} come from here, with {@code -Dkvrank.simulations=20000}.
 */
class IntervalSimulationTest {

  private static final int RUNS = Integer.getInteger("kvrank.simulations", 3000);

  /** Three standard errors of a share around 5 %. */
  private static final double CHANCE = 3 * Math.sqrt(0.05 * 0.95 / RUNS);

  private static final Group GROUP =
      new Group("get", "get", Optional.empty(), new TreeMap<>(), new TreeSet<>());

  @Test
  void intervalsCoverTheMedian() {
    Random random = new Random(20260101);
    Populations.all()
        .forEach(
            (name, population) -> {
              for (int n : List.of(3, 5, 10, 20)) {
                int covered = 0;
                for (int i = 0; i < RUNS; i++) {
                  Estimate estimate = Estimate.of(population.sample(n, random));
                  covered +=
                      estimate.low() <= population.median()
                              && population.median() <= estimate.high()
                          ? 1
                          : 0;
                }
                double coverage = (double) covered / RUNS;
                print("coverage %-18s n=%-2d %.3f", name, n, coverage);
                assertThat(coverage).as(name + ", n=" + n).isBetween(0.94 - CHANCE, 0.97 + CHANCE);
              }
            });
  }

  @Test
  void intervalsOfTheRatioCoverTheRatio() {
    Random random = new Random(20260102);
    Population slow = Populations.lognormal(1000, 0.03);
    Population fast = Populations.lognormal(1500, 0.08);
    for (List<Integer> n : List.of(List.of(3, 3), List.of(5, 5), List.of(3, 10), List.of(10, 10))) {
      int covered = 0;
      for (int i = 0; i < RUNS; i++) {
        Estimate one = Estimate.of(slow.sample(n.get(0), random));
        Estimate other = Estimate.of(fast.sample(n.get(1), random));
        Ratio ratio = WelchTest.of(one, other).orElseThrow().ratio(0.95);
        covered += ratio.low() <= 1 / 1.5 && 1 / 1.5 <= ratio.high() ? 1 : 0;
      }
      double coverage = (double) covered / RUNS;
      print("coverage of the ratio n=%s %.3f", n, coverage);
      assertThat(coverage).as("n=" + n).isBetween(0.945 - CHANCE, 0.985 + CHANCE);
    }
  }

  @Test
  void equalEnginesAreSeldomSeparated() {
    Random random = new Random(20260103);
    Populations.all()
        .forEach(
            (name, population) -> {
              for (List<Integer> n :
                  List.of(
                      List.of(3, 3),
                      List.of(3, 5),
                      List.of(5, 5),
                      List.of(3, 10),
                      List.of(10, 10),
                      List.of(20, 20))) {
                double level = falseTables(List.of(population, population), n, RUNS, random);
                print("level, 2 engines, %-18s n=%s %.3f", name, n, level);
                assertThat(level).as(name + ", n=" + n).isLessThan(0.05 + CHANCE);
              }
            });
  }

  @Test
  void tablesOfEqualEnginesSeldomHaveAFalseVerdict() {
    Random random = new Random(20260104);
    int runs = RUNS / 3;
    for (int engines : List.of(3, 5, 8)) {
      for (int n : List.of(3, 5, 10)) {
        Population equal = Populations.lognormal(1000, 0.05);
        List<Population> all = java.util.Collections.nCopies(engines, equal);
        double level = falseTables(all, java.util.Collections.nCopies(engines, n), runs, random);
        print("level, %d engines, n=%-2d %.3f", engines, n, level);
        assertThat(level)
            .as("%d engines, n=%d", engines, n)
            .isLessThan(0.05 + CHANCE * Math.sqrt(3));
      }
    }
  }

  @Test
  void aDifferenceIsFound() {
    Random random = new Random(20260105);
    for (Map.Entry<Integer, Double> least : Map.of(3, 0.9, 5, 0.99).entrySet()) {
      double found =
          falseTables(
              List.of(Populations.lognormal(1000, 0.03), Populations.lognormal(800, 0.03)),
              List.of(least.getKey(), least.getKey()),
              RUNS,
              random);
      print("power, 20 %% slower, cv 3 %%, n=%d %.3f", least.getKey(), found);
      assertThat(found).isGreaterThan(least.getValue());
    }
  }

  /** The share of tables in which not all engines have rank 1. */
  private static double falseTables(
      List<Population> engines, List<Integer> n, int runs, Random random) {
    int found = 0;
    for (int i = 0; i < runs; i++) {
      TreeMap<String, Estimate> estimates = new TreeMap<>();
      for (int j = 0; j < engines.size(); j++) {
        estimates.put("engine" + j, Estimate.of(engines.get(j).sample(n.get(j), random)));
      }
      Ranking ranking = Ranking.of(Metrics.THROUGHPUT, GROUP, estimates, List.of());
      found += ranking.standings().stream().anyMatch(standing -> standing.rank() > 1) ? 1 : 0;
    }
    return (double) found / runs;
  }

  private static void print(String format, Object... values) {
    if (Integer.getInteger("kvrank.simulations") != null) {
      System.out.printf(format + "%n", values);
    }
  }
}
