package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import kvrank.stats.Tables;
import kvrank.stats.infer.PairInference.Basis;
import kvrank.stats.infer.PairInference.Contrast;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** {@code .ci/check-statistics.py} compares the figures with SciPy's. */
class BlockAnalysisTest {

  private static final double NONE = Double.NaN;
  private static final Offset<Double> EXACT = within(1e-9);

  private static final double[] FAST = {1000, 1030, 985, 1012, 1005};
  private static final double[] SLOWER = {950, 985, 941, 958, 961};
  private static final double[] OTHER = {820, 833, 811, 829, 815};
  private static final double[] NOISY = {700, 1900, 240, 820, 1750};

  private static PairInference test(double[]... values) {
    return new BlockAnalysis(Tables.of(values), BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
  }

  /** Returns half the width of the interval of the first two engines. */
  private static double width(double[]... values) {
    return test(values).halfWidth(0.01);
  }

  @Test
  void theDifferenceIsThatOfTheMeansInCompleteBlocks() {
    PairInference test = test(FAST, SLOWER, NOISY);
    assertThat(test.difference()).isCloseTo(0.04825374388505832, EXACT);
    assertThat(test.blocks()).isEqualTo(5);
    assertThat(test.basis()).isEqualTo(Basis.REPETITIONS);
  }

  @Test
  void oneWildEngineWidensNobodyElsesInterval() {
    double quiet = width(FAST, SLOWER, OTHER, OTHER, OTHER);
    assertThat(width(FAST, SLOWER, OTHER, OTHER, NOISY)).isLessThan(1.3 * quiet);
    assertThat(width(FAST, NOISY, OTHER, OTHER, SLOWER)).isGreaterThan(10 * quiet);
  }

  /** The block test of two engines and three repetitions had 3.8. */
  @Test
  void noTestHasMoreDegreesOfFreedomThanTheTable() {
    List<Contrast> tests =
        test(new double[] {1, 1.1, 1.05}, new double[] {1.2, 1.1, 1}).contrasts();
    assertThat(tests.get(0).degrees()).isLessThanOrEqualTo(4);
    assertThat(tests.get(1).degrees()).isCloseTo(2, EXACT); // the paired t-test
  }

  /** One wild engine of three made 3x invisible between the other two. */
  @Test
  void onlyDifferencesThatAnEngineShowsMayBeTwoSpeeds() {
    double[] three = {1000, 1030, 985};
    double[] one = {330, 322, 341};
    double[] wild = {100, 190, 220};
    assertThat(
            PairwiseComparisons.of(Tables.of(new double[][] {three, one, wild}))
                .verdict("e00", "e01")
                .separated())
        .isTrue();
    double[] wilder = {100, 400, 210};
    assertThat(
            PairwiseComparisons.of(Tables.of(new double[][] {three, one, wilder}))
                .verdict("e00", "e01")
                .separated())
        .isFalse();
  }

  @Test
  void engineWithFewValuesIsSteadiedByTheOthers() {
    double[] few = {1000, 1030, 985, NONE, NONE};
    double[] three = {Math.log(1000), Math.log(1030), Math.log(985)};
    double alone =
        BlockAnalysis.independent(
                List.of(three), List.of(Arrays.stream(SLOWER).map(Math::log).toArray()))
            .halfWidth(0.01);
    assertThat(width(few, SLOWER, OTHER, OTHER, OTHER)).isLessThan(0.5 * alone);
  }

  /** Not only the blocks that both engines have are used. */
  @Test
  void valuesOfBlocksThatAnEngineMissedCount() {
    double[] three = {1000, 1030, 985, NONE, NONE, NONE, NONE, NONE, NONE};
    double[] nine = {950, 985, 941, 958, 961, 945, 979, 953, 962};
    double[] other = {820, 833, 811, 829, 815, 834, 812, 825, 819};
    double[] only = {950, 985, 941, NONE, NONE, NONE, NONE, NONE, NONE};
    double all = width(three, nine, other, other, other);
    assertThat(all).isLessThan(0.9 * width(three, only, other, other, other));
  }

  @Test
  void aDriftOfTheMachineIsNotTakenForADifference() {
    double[] early = {1000, 1101, 1199, NONE, NONE, NONE, NONE, NONE};
    double[] long1 = {1001, 1100, 1201, 1299, 1402, 1500, 1601, 1700};
    double[] long2 = {999, 1102, 1198, 1301, 1398, 1499, 1602, 1699};
    PairInference test = test(early, long1, long2);
    assertThat(test.difference()).isCloseTo(0, within(0.01));
    assertThat(test.p()).isGreaterThan(0.1);
  }

  @Test
  void weightsAddUpToOne() {
    for (PairInference test : List.of(test(FAST, SLOWER), test(FAST, SLOWER, NOISY))) {
      assertThat(test.contrasts().stream().mapToDouble(Contrast::weight).sum()).isCloseTo(1, EXACT);
    }
  }

  @Test
  void theIntervalLeavesOutZeroJustIfThePValueIsAtMostTheLevel() {
    PairInference test = test(FAST, SLOWER, NOISY);
    double p = test.p();
    assertThat(test.halfWidth(p)).isCloseTo(test.difference(), within(1e-6));
    assertThat(test.ratio(p * 1.01).low()).isGreaterThan(1);
    assertThat(test.ratio(p * 0.99).low()).isLessThan(1);
  }

  @Test
  void withoutASharedExecutionTheValuesAreIndependent() {
    double[] first = {1000, 1030, 985, 1012, 1005, NONE, NONE, NONE, NONE, NONE};
    double[] second = {NONE, NONE, NONE, NONE, NONE, 950, 985, 941, 958, 961};
    double[][] logs = new double[2][];
    logs[0] = Arrays.stream(first).map(Math::log).toArray();
    logs[1] = Arrays.stream(second).map(Math::log).toArray();
    PairInference test =
        new BlockAnalysis(Tables.ofLogs(logs, 5), BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
    assertThat(test.basis()).isEqualTo(Basis.INDEPENDENT);
    PairInference welch =
        BlockAnalysis.independent(
            List.of(Arrays.copyOf(logs[0], 5)), List.of(Arrays.copyOfRange(logs[1], 5, 10)));
    assertThat(welch.p()).isCloseTo(0.0018634928704749007, EXACT); // by SciPy
    // Each execution has a shift of its own: 4.6 % are less than these.
    assertThat(test.difference()).isEqualTo(welch.difference());
    assertThat(test.p()).isGreaterThan(0.4);
  }

  /** 5 % were assumed, and more than that in either engine's executions counted for nothing. */
  @Test
  void whatExecutionsDifferByIsNoDifferenceOfEnginesThatShareNone() {
    double[][] logs = new double[2][24];
    for (int b = 0; b < 24; b++) {
      double day = new double[] {0.3, -0.3, 0, -0.1, 0.2, 0.1, -0.4, 0.1}[b / 3];
      logs[0][b] = b < 12 ? 5.3 + day + 0.01 * (b % 3) : NONE;
      logs[1][b] = b < 12 ? NONE : 5 + day + 0.01 * (b % 3);
    }
    PairInference test =
        new BlockAnalysis(Tables.ofLogs(logs, 3), BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
    assertThat(test.basis()).isEqualTo(Basis.INDEPENDENT);
    assertThat(test.difference()).isCloseTo(0.275, EXACT);
    assertThat(test.p()).isGreaterThan(0.05);
  }

  /** Its own mean of two days stood beside ratios of the first: 1.3x beside 1.1x. */
  @Test
  void valuesOfAnEngineThatMissedAnExecutionHaveTheRatiosThatAreTested() {
    for (int engines : List.of(2, 3)) {
      double[][] logs = {
        {5.10, 5.11, 5.09, NONE, NONE, NONE},
        {5.00, 4.99, 5.01, 4.70, 4.71, 4.69},
        {3.50, 3.51, 3.50, 3.20, 3.19, 3.20},
      };
      PairwiseComparisons found =
          PairwiseComparisons.of(Tables.ofLogs(Arrays.copyOf(logs, engines), 3));
      PairVerdict verdict = found.verdict("e00", "e01");
      double ofValues = found.values().get("e00") / found.values().get("e01");
      assertThat(ofValues).isCloseTo(Math.exp(0.1), within(0.02));
      assertThat(verdict.value()).isCloseTo(ofValues, EXACT);
      // One execution of one engine does not show how much it differs from its next.
      assertThat(verdict.separated()).isFalse();
      if (engines == 3) {
        assertThat(found.verdict("e00", "e02").separated()).isTrue();
      }
    }
  }

  /** Executions of two repetitions, the second of which is slower and one engine lacks. */
  @Test
  void aLostRepetitionOfTwoIsNoAdvantage() {
    double[] shifts = {0.01, -0.02, 0.015, -0.005};
    double[][] logs = new double[3][8];
    for (int e = 0; e < 3; e++) {
      for (int b = 0; b < 8; b++) {
        double drift = b % 2 == 0 ? 0 : -0.3;
        logs[e][b] = e == 0 && drift < 0 ? NONE : shifts[(b / 2 + e) % 4] + drift;
      }
    }
    PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs, 2));
    assertThat(found.values().get("e00") / found.values().get("e01")).isCloseTo(1, within(0.02));
    assertThat(found.verdict("e00", "e01").separated()).isFalse();
  }

  /** The means of the repetitions made the one with fewer of them 13 % faster. */
  @Test
  void aDriftWithinMergedExecutionsIsNotTakenForADifference() {
    double[] shifts = {0.01, -0.02, 0.015};
    for (int engines : List.of(2, 4)) {
      double[][] logs = new double[engines][30];
      for (int e = 0; e < engines; e++) {
        for (int b = 0; b < 30; b++) {
          double noise = 0.004 * ((7 * b + 3 * e) % 5 - 2);
          double drift = -0.3 * (b % 10) / 9;
          logs[e][b] =
              e == 0 && b % 10 > 2
                  ? NONE
                  : shifts[(b / 10 + e) % 3] + (e > 1 ? -1 : 0) + drift + noise;
        }
      }
      PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs, 10));
      assertThat(found.values().get("e00") / found.values().get("e01")).isCloseTo(1, within(0.03));
      assertThat(found.verdict("e00", "e01").separated()).isFalse();
    }
  }

  @Test
  void twoRepetitionsHaveNoTest() {
    BlockTable table = Tables.of(new double[][] {{1000, 1001}, {1, 2}});
    assertThat(new BlockAnalysis(table, BlockModel.COINCIDENCE).pair(0, 1)).isEmpty();
  }

  @Test
  void twoSharedRepetitionsHaveNoTestUnlessAThirdEngineSharesMore() {
    double[] early = {1000, 1030, 985, NONE, NONE};
    double[] late = {NONE, 985, 941, 958, 961};
    BlockTable two = Tables.of(new double[][] {early, late});
    assertThat(new BlockAnalysis(two, BlockModel.COINCIDENCE).pair(0, 1)).isEmpty();
    assertThat(PairwiseComparisons.of(two).verdict("e00", "e01").kind())
        .isEqualTo(Separation.UNTESTED);
    assertThat(test(early, late, OTHER).blocks()).isEqualTo(3);
    double[] later = {NONE, NONE, NONE, 958, 961, 945};
    double[] first = {1000, 1030, 985, NONE, NONE, NONE};
    BlockTable apart = Tables.of(new double[][] {first, later, first, later});
    assertThat(new BlockAnalysis(apart, BlockModel.COINCIDENCE).pair(0, 1)).isEmpty();
  }

  @Test
  void executionsAreTheSampleWhereThereAreSeveral() {
    double[][] logs = {
      {5.00, 5.02, 5.04, 5.10, 5.12, 5.14}, {4.00, 4.00, 4.00, 4.06, 4.06, 4.06},
    };
    BlockTable table = Tables.ofLogs(logs, 3);
    PairInference test = new BlockAnalysis(table, BlockModel.COINCIDENCE).pair(0, 1).orElseThrow();
    assertThat(test.basis()).isEqualTo(Basis.EXECUTIONS);
    assertThat(test.blocks()).isEqualTo(2);
    assertThat(test.difference()).isCloseTo(1.04, EXACT);
  }

  /** Both executions of each engine could be alike by chance on a machine of two speeds. */
  @Test
  void twoExecutionsSeparateWhatIsFarApart() {
    double[][] near = {{0, 0.001}, {-0.2, -0.201}};
    double[][] far = {{0, 0.001}, {-1.6, -1.601}};
    assertThat(Tables.anySeparated(PairwiseComparisons.of(Tables.ofLogs(near, 1)))).isFalse();
    assertThat(Tables.anySeparated(PairwiseComparisons.of(Tables.ofLogs(far, 1)))).isTrue();
  }

  @Test
  void valuesWithoutLogarithmsAreLeftOut() {
    assertThat(Tables.of(new double[][] {{1000, 0, 3}, {1, 2, 3}}).engines())
        .containsExactly("e01");
  }
}
