package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import kvrank.stats.Tables;
import org.junit.jupiter.api.Test;

/**
 * Whether the comparisons of a table keep what they promise, by drawing tables whose truth is
 * known. {@code docs/explanation/validation.md} has the figures of many more.
 */
class PairwiseSimulationTest {

  private static final int TABLES = 200;

  private static void atMostFivePercent(double share, int tables, String what) {
    assertThat(share).as(what).isLessThanOrEqualTo(0.05 + 3 * Math.sqrt(0.05 * 0.95 / tables));
  }

  @Test
  void equalEnginesAreSeldomSeparated() {
    SplittableRandom random = new SplittableRandom(20261101);
    Noise.all()
        .forEach(
            (name, noise) -> {
              for (int engines : List.of(2, 3, 5, 12)) {
                int tables = engines == 12 ? TABLES / 8 : TABLES;
                for (int blocks : List.of(3, 5, 10)) {
                  double share = Simulations.separated(noise, engines, blocks, tables, random);
                  atMostFivePercent(
                      share, tables, "%s, %d engines, n=%d".formatted(name, engines, blocks));
                }
              }
            });
  }

  /** With a level for each table, 15 to 46 % of reports of 6 to 14 workloads did. */
  @Test
  void equalEnginesAreSeldomSeparatedAnywhereInAReport() {
    SplittableRandom random = new SplittableRandom(20261126);
    for (int engines : List.of(2, 4)) {
      for (int blocks : List.of(3, 5)) {
        int separated = 0;
        for (int i = 0; i < TABLES; i++) {
          List<BlockTable> tables = new ArrayList<>();
          for (int workload = 0; workload < 10; workload++) {
            tables.add(Tables.ofLogs(Noise.normal(0.03).draw(engines, blocks, random)));
          }
          separated +=
              PairwiseComparisons.of(tables, PairwiseComparisons.TABLES).stream()
                      .anyMatch(Tables::anySeparated)
                  ? 1
                  : 0;
        }
        atMostFivePercent(
            (double) separated / TABLES, TABLES, "%d engines, n=%d".formatted(engines, blocks));
      }
    }
  }

  /**
   * A few quiet runs in one of the phases said that it is as quiet as the others: 9 and 15 % of
   * reports separated it from an equal one.
   */
  @Test
  void anEngineThatIsNoisyInEveryPhaseIsSeldomSeparatedFromAnEqualOne() {
    SplittableRandom random = new SplittableRandom(20261128);
    Noise noise = Noise.normal(0.02).unequal(1, 8);
    for (int engines : List.of(2, 4)) {
      double share = Simulations.separatedInReports(noise, engines, 3, 7, true, 2 * TABLES, random);
      atMostFivePercent(share, 2 * TABLES, engines + " engines");
    }
  }

  /** An engine that was mostly fast showed little noise, as one that was mostly slow: 9 % were. */
  @Test
  void aMachineThatIsSlowInHalfOfTheRunsSeldomSeparatesEqualEnginesAnywhereInAReport() {
    SplittableRandom random = new SplittableRandom(20261129);
    Noise noise = Noise.bimodal(0.5);
    assertThat(Simulations.separatedInReports(noise, 12, 8, 7, false, TABLES, random))
        .isLessThanOrEqualTo(0.05);
  }

  /** Each engine is fast or slow in a whole execution by chance: 10 % were separated. */
  @Test
  void executionsOfTwoSpeedsSeldomSeparateEqualEngines() {
    SplittableRandom random = new SplittableRandom(20261127);
    for (int executions : List.of(2, 3, 5)) {
      for (int engines : List.of(2, 3, 5)) {
        int separated = 0;
        for (int i = 0; i < TABLES; i++) {
          double[][] logs = Noise.normal(0.01).draw(engines, 3 * executions, random);
          for (double[] row : logs) {
            for (int x = 0; x < executions; x++) {
              double speed = random.nextBoolean() ? Math.log(0.8) : 0;
              for (int r = 0; r < 3; r++) {
                row[3 * x + r] += speed;
              }
            }
          }
          separated += Tables.anySeparated(PairwiseComparisons.of(Tables.ofLogs(logs, 3))) ? 1 : 0;
        }
        atMostFivePercent(
            (double) separated / TABLES,
            TABLES,
            "%d executions, %d engines".formatted(executions, engines));
      }
    }
  }

  /** One noise for all separates the equal two in 8.3 % if the third is five times as noisy. */
  @Test
  void equalEnginesAreSeldomSeparatedBesideOthersThatDiffer() {
    SplittableRandom random = new SplittableRandom(20261125);
    Noise.all()
        .forEach(
            (name, noise) -> {
              for (int engines : List.of(3, 8)) {
                for (int blocks : List.of(3, 5, 10)) {
                  double share = Simulations.separatedPairs(noise, engines, blocks, TABLES, random);
                  atMostFivePercent(
                      share, TABLES, "%s, %d engines, n=%d".formatted(name, engines, blocks));
                }
              }
            });
  }

  /**
   * With three, all of its runs are alike in a quarter of the tables, and nothing gives it away.
   */
  @Test
  void anEngineThatAloneHasTwoSpeedsTakesTenRepetitions() {
    SplittableRandom random = new SplittableRandom(20261111);
    for (int engines : List.of(2, 3, 5)) {
      for (int blocks : List.of(10, 20)) {
        double share =
            Simulations.separated(Noise.firstOfTwoSpeeds(), engines, blocks, TABLES, random);
        atMostFivePercent(share, TABLES, "%d engines, n=%d".formatted(engines, blocks));
      }
    }
  }

  /** The first engine is better by just the factor that is too much to be called equal. */
  @Test
  void enginesThatDifferAreSeldomCalledEqual() {
    SplittableRandom random = new SplittableRandom(20261102);
    Noise.all()
        .forEach(
            (name, noise) -> {
              for (int engines : List.of(2, 5)) {
                for (int blocks : List.of(3, 5, 10, 20)) {
                  double share = Simulations.falselyEqual(noise, engines, blocks, TABLES, random);
                  atMostFivePercent(
                      share, TABLES, "%s, %d engines, n=%d".formatted(name, engines, blocks));
                }
              }
            });
  }

  @Test
  void powerIsThatOfWelchsTestOrLittleLess() {
    SplittableRandom random = new SplittableRandom(20261103);
    for (double deviation : List.of(0.03, 0.1)) {
      for (int engines : List.of(2, 3, 5)) {
        for (int blocks : List.of(3, 5, 10)) {
          for (double slower : List.of(0.05, 0.1, 0.2)) {
            Simulations.Power power =
                Simulations.power(Noise.normal(deviation), engines, blocks, slower, TABLES, random);
            assertThat(power.found())
                .as("%s slower, noise %s, %d engines, n=%d", slower, deviation, engines, blocks)
                .isGreaterThan(power.welch() - (engines == 2 ? 0.2 : 0.1) - 0.06);
          }
        }
      }
    }
  }

  /** Independent samples show it in 6 %, and with a drift of 30 % and n=5 never. */
  @Test
  void aDriftDoesNotHideADifference() {
    SplittableRandom random = new SplittableRandom(20261104);
    Noise drift10 = Noise.normal(0.01).drifting(0.1);
    Noise drift30 = Noise.normal(0.01).drifting(0.3);
    assertThat(Simulations.power(drift10, 2, 3, 0.1, TABLES, random).found()).isGreaterThan(0.75);
    assertThat(Simulations.power(drift10, 3, 3, 0.1, TABLES, random).found()).isGreaterThan(0.95);
    assertThat(Simulations.power(drift30, 2, 5, 0.1, TABLES, random).found()).isGreaterThan(0.95);
    assertThat(Simulations.power(drift30, 5, 5, 0.1, TABLES, random).found()).isGreaterThan(0.95);
  }

  /** Then the machine gets slower: 57 % were separated. */
  @Test
  void anEngineThatGoesOnByItselfIsSeldomSeparatedFromAnEqualOne() {
    SplittableRandom random = new SplittableRandom(20261129);
    int separated = 0;
    for (int i = 0; i < TABLES; i++) {
      double[][] logs = Noise.normal(0.02).draw(2, 6, random);
      for (int b = 3; b < 6; b++) {
        logs[0][b] = Double.NaN;
        logs[1][b] -= 0.5;
      }
      PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs));
      separated += Tables.anySeparated(found) ? 1 : 0;
      Ratio ratio = found.verdict("e00", "e01").ratio();
      double ofValues = found.values().get("e00") / found.values().get("e01");
      assertThat(ratio.value())
          .isCloseTo(ofValues, within(1e-9))
          .isBetween(ratio.low(), ratio.high());
    }
    atMostFivePercent((double) separated / TABLES, TABLES, "e01 goes on");
  }

  /** All repetitions as one sample cover the ratio in 58 % and separate equal engines in 41 %. */
  @Test
  void executionsThatDifferAreTheSample() {
    SplittableRandom random = new SplittableRandom(20261105);
    for (int executions : List.of(2, 3, 5)) {
      for (int engines : List.of(2, 5)) {
        int separated = 0;
        int covered = 0;
        for (int i = 0; i < TABLES; i++) {
          PairwiseComparisons found =
              PairwiseComparisons.of(Simulations.executions(engines, executions, 5, random));
          separated += Tables.anySeparated(found) ? 1 : 0;
          Ratio ratio = found.verdict("e00", "e01").ratio();
          covered += ratio.low() <= 1 && 1 <= ratio.high() ? 1 : 0;
        }
        String what = "%d executions of 5, %d engines".formatted(executions, engines);
        atMostFivePercent((double) separated / TABLES, TABLES, what);
        assertThat((double) covered / TABLES).as(what).isGreaterThan(0.95 - 0.046);
      }
    }
  }

  /** Means of the repetitions separated equal engines in 68 %. */
  @Test
  void executionsThatDriftAreNotDecidedByTheNumberOfRepetitions() {
    SplittableRandom random = new SplittableRandom(20261128);
    for (int engines : List.of(2, 4)) {
      int tables = TABLES / 2;
      double share = Simulations.separatedInDrift(engines, 3, 0.3, tables, random);
      atMostFivePercent(share, tables, engines + " engines");
    }
  }

  /** On average: with three blocks the noise that was seen has two degrees of freedom. */
  @Test
  void whatIsCalledDetectableIsFoundInFourOfFiveTables() {
    SplittableRandom random = new SplittableRandom(20261106);
    for (int engines : List.of(2, 3, 5)) {
      for (int blocks : List.of(5, 10, 20)) {
        Noise noise = Noise.normal(0.03);
        double[] called = new double[TABLES];
        for (int i = 0; i < TABLES; i++) {
          BlockTable table = Tables.ofLogs(noise.draw(engines, blocks, random));
          called[i] = PairwiseComparisons.of(table).verdict("e00", "e01").detectable();
        }
        double ratio = Arrays.stream(called).average().orElseThrow();
        double found =
            Simulations.power(noise, engines, blocks, 1 - 1 / ratio, TABLES, random).found();
        assertThat(found).as("%d engines, n=%d", engines, blocks).isBetween(0.7, 0.96);
      }
    }
  }

  /** What {@code plan} says, before there is any noise to go by. */
  @Test
  void whatAPlanCanShowIsFoundInFourOfFiveTables() {
    SplittableRandom random = new SplittableRandom(20261110);
    for (int engines : List.of(2, 3, 5, 8, 16)) {
      for (int blocks : List.of(3, 5, 9, 20)) {
        double ratio = DetectableRatio.of(engines, blocks, 0.03);
        double found = Simulations.detectable(engines, blocks, 10 * TABLES / engines, random);
        assertThat(Math.log(ratio) / 0.03 / found)
            .as("%.3fx, %d engines, n=%d", ratio, engines, blocks)
            .isBetween(0.85, 1.15);
      }
    }
    Simulations.Power power =
        Simulations.power(
            Noise.normal(0.1), 5, 3, 1 - 1 / DetectableRatio.of(5, 3, 0.1), TABLES, random);
    assertThat(power.found()).isBetween(0.7, 0.9);
    assertThat(DetectableRatio.of(7, 12, 0.1)).isGreaterThan(DetectableRatio.of(6, 12, 0.1));
    assertThat(DetectableRatio.of(2, 2, 0.03)).isNaN();
  }

  @Test
  void looksAfterEveryBlockSeldomSeparateEqualEngines() {
    SplittableRandom random = new SplittableRandom(20261107);
    Map<String, Noise> all = Noise.all();
    for (String name :
        List.of(
            "lognormal, 3 %", "slowed", "two speeds, 30 %", "wandering", "some 4 times as noisy")) {
      for (int engines : List.of(2, 3)) {
        for (int budget : List.of(20, 6)) {
          int plans = TABLES / 2;
          double share =
              Simulations.followed(all.get(name), engines, budget * engines, plans, random);
          atMostFivePercent(
              share, plans, "%s, %d engines, budget %d".formatted(name, engines, budget));
        }
      }
    }
  }

  /** Of what has one chance in ten to be settled, one in ten is. */
  @Test
  void theChanceOfSettlingIsWhatItComesTo() {
    SplittableRandom random = new SplittableRandom(20261123);
    double expected = 0;
    int settled = 0;
    for (int i = 0; i < 10 * TABLES; i++) {
      double apart = 0.3 * (2 * random.nextDouble() - 1);
      double[][] logs = Noise.normal(0.1).plus(new double[] {0, apart}).draw(2, 16, random);
      double[][] early = {Arrays.copyOf(logs[0], 8), Arrays.copyOf(logs[1], 8)};
      expected += test(early).chance(PairVerdict.EQUAL, 0.05, 8);
      PairInference late = test(logs);
      settled += late.p() <= 0.05 || late.within(PairVerdict.EQUAL, 0.05) ? 1 : 0;
    }
    assertThat(expected / (10 * TABLES)).isCloseTo(settled / (10.0 * TABLES), within(0.05));
  }

  private static PairInference test(double[][] logs) {
    return new BlockAnalysis(Tables.ofLogs(logs), BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
  }
}
