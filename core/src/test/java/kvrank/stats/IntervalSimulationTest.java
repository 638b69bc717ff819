package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whether intervals and verdicts keep what they promise, by drawing from known distributions. The
 * figures in {@code docs/method.md} come from here, with {@code -Dkvrank.simulations=20000}.
 */
class IntervalSimulationTest {

  private static final int RUNS = Integer.getInteger("kvrank.simulations", 3000);

  /** Three standard errors of a share around 5 %. */
  private static final double CHANCE = 3 * Math.sqrt(0.05 * 0.95 / RUNS);

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

  /** 0.1.0 took all repetitions for one sample and covered 58 %. */
  @Test
  void executionsThatDifferAreInTheInterval() {
    SplittableRandom random = new SplittableRandom(20260103);
    for (int executions : List.of(3, 5, 10)) {
      int covered = 0;
      for (int i = 0; i < RUNS; i++) {
        SortedMap<Block, Double> values = new TreeMap<>();
        for (int x = 0; x < executions; x++) {
          double shift = 0.05 * random.nextGaussian();
          for (int r = 1; r <= 5; r++) {
            values.put(new Block(x, r), 1000 * Math.exp(shift + 0.02 * random.nextGaussian()));
          }
        }
        Estimate estimate = Estimate.of(values);
        covered += estimate.low() <= 1000 && 1000 <= estimate.high() ? 1 : 0;
      }
      double coverage = (double) covered / RUNS;
      print("coverage, %d executions of 5 %.3f", executions, coverage);
      assertThat(coverage).as(executions + " executions").isBetween(0.94 - CHANCE, 0.97 + CHANCE);
    }
  }

  @Test
  void twoExecutionsHaveNoInterval() {
    SortedMap<Block, Double> values = new TreeMap<>();
    for (int i = 0; i < 10; i++) {
      values.put(new Block(i % 2, i / 2), 1000.0 + i);
    }
    assertThat(Estimate.of(values).hasInterval()).isFalse();
  }

  private static void print(String format, Object... values) {
    if (Integer.getInteger("kvrank.simulations") != null) {
      System.out.printf(format + "%n", values);
    }
  }
}
