package kvrank.stats.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import kvrank.stats.change.ChangeTests.Cell;
import kvrank.stats.infer.BlockAnalysis;
import kvrank.stats.infer.Spread;
import org.junit.jupiter.api.Test;

class ChangeTestsTest {

  private static final int ENGINES = 6;
  private static final int PHASES = 4;

  /** With one spread for all cells, 23 % of comparisons with three baselines reported a change. */
  @Test
  void anEngineThatVariesMoreBetweenExecutionsSeldomSeemsChanged() {
    int times = 200;
    double most = 0.05 + 3 * Math.sqrt(0.05 * 0.95 / times);
    assertThat(alarms(3, times, true, new Random(1))).isLessThan(most);
    assertThat(alarms(3, times, false, new Random(2))).isLessThan(most);
  }

  /**
   * The share of comparisons that report a change although nothing changed: five repetitions with a
   * noise of 2 %, in executions that differ by 10 % in each cell of one engine or of one phase, and
   * by 1 % in others.
   */
  static double alarms(int baselines, int times, boolean engine, Random random) {
    int alarms = 0;
    for (int i = 0; i < times; i++) {
      List<Cell> cells = new ArrayList<>();
      for (int e = 0; e < ENGINES; e++) {
        for (int p = 0; p < PHASES; p++) {
          double deviation = (engine ? e : p) == 0 ? 0.1 : 0.01;
          List<double[]> then = new ArrayList<>();
          for (int x = 0; x < baselines; x++) {
            then.add(execution(deviation, random));
          }
          cells.add(cell("engine" + e, "phase" + p, then, execution(deviation, random)));
        }
      }
      alarms +=
          ChangeTests.of(cells, Map.of(), Spread.stated(0.05)).stream()
                  .anyMatch(test -> test.orElseThrow().significant())
              ? 1
              : 0;
    }
    return (double) alarms / times;
  }

  private static Cell cell(String engine, String phase, List<double[]> then, double[] now) {
    double before = then.stream().mapToDouble(BlockAnalysis::mean).average().orElseThrow();
    return new Cell(
        engine,
        phase,
        true,
        "throughput",
        then,
        List.of(now),
        BlockAnalysis.mean(now) - before,
        Optional.empty());
  }

  private static double[] execution(double deviation, Random random) {
    double shift = deviation * random.nextGaussian();
    return random.doubles(5).map(unused -> shift + 0.02 * random.nextGaussian()).toArray();
  }
}
