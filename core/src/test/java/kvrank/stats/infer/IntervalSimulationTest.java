package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whether intervals keep what they promise, by drawing from known distributions. */
public class IntervalSimulationTest {

  private static final int RUNS = 3000;

  /** Three standard errors of a share around 5 %. */
  private static final double CHANCE = 3 * Math.sqrt(0.05 * 0.95 / RUNS);

  /** Of a few skewed values Student's intervals hold the mean less often. */
  @Test
  void intervalsCoverTheGeometricMean() {
    Random random = new Random(20260101);
    Populations.all()
        .forEach(
            (name, population) -> {
              for (int n : List.of(3, 5, 10, 20)) {
                assertThat(coverage(population, n, RUNS, random))
                    .as(name + ", n=" + n)
                    .isBetween(name.startsWith("lognormal") ? 0.94 - CHANCE : 0.88, 0.97 + CHANCE);
              }
            });
  }

  /** The share of intervals of {@code n} repetitions that hold the true geometric mean. */
  public static double coverage(Populations.Population population, int n, int runs, Random random) {
    int covered = 0;
    for (int i = 0; i < runs; i++) {
      covered += holds(Estimate.of(population.sample(n, random)), population.typical()) ? 1 : 0;
    }
    return (double) covered / runs;
  }

  private static boolean holds(Estimate estimate, double truth) {
    return estimate.low() <= truth && truth <= estimate.high();
  }

  /** An interval that takes all repetitions for one sample covers 58 %. */
  @Test
  void executionsThatDifferAreInTheInterval() {
    SplittableRandom random = new SplittableRandom(20260103);
    for (int executions : List.of(3, 5, 10)) {
      assertThat(coverage(executions, RUNS, random))
          .as(executions + " executions")
          .isBetween(0.94 - CHANCE, 0.97 + CHANCE);
    }
  }

  /** The same of executions of five repetitions that differ by 5 %, with noise of 2 % in each. */
  public static double coverage(int executions, int runs, SplittableRandom random) {
    int covered = 0;
    for (int i = 0; i < runs; i++) {
      List<Double> values = new ArrayList<>();
      double[] means = new double[executions];
      for (int x = 0; x < executions; x++) {
        double shift = 0.05 * random.nextGaussian();
        for (int r = 1; r <= 5; r++) {
          double log = Math.log(1000) + shift + 0.02 * random.nextGaussian();
          values.add(Math.exp(log));
          means[x] += log / 5;
        }
      }
      covered += holds(Estimate.of(Estimate.of(values).value(), values, means), 1000) ? 1 : 0;
    }
    return (double) covered / runs;
  }

  @Test
  void twoExecutionsHaveNoInterval() {
    List<Double> values = List.of(1000.0, 1001.0, 1002.0, 1003.0, 1004.0, 1005.0);
    double[] executions = {Math.log(1001), Math.log(1004)};
    assertThat(Estimate.of(1002.5, values, executions).hasInterval()).isFalse();
  }
}
