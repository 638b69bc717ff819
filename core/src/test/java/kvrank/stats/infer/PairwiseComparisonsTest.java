package kvrank.stats.infer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import kvrank.metric.Direction;
import kvrank.stats.Tables;
import org.junit.jupiter.api.Test;

class PairwiseComparisonsTest {

  private static PairwiseComparisons compare(double[]... values) {
    return PairwiseComparisons.of(Tables.of(values));
  }

  private static RankRange rank(PairwiseComparisons found, String engine, Direction direction) {
    return RankRange.of(
        engine, found.table().engines(), (one, other) -> found.better(one, other, direction));
  }

  @Test
  void oneIsBetter() {
    PairwiseComparisons found =
        compare(
            new double[] {1000, 1010, 990, 1005, 995},
            new double[] {800, 812, 790, 803, 799},
            new double[] {805, 800, 801, 796, 795});
    assertThat(found.verdict("e00", "e01").kind()).isEqualTo(Separation.SEPARATED);
    assertThat(found.verdict("e01", "e00").ratio().high()).isLessThan(1);
    assertThat(found.verdict("e01", "e02").kind()).isEqualTo(Separation.EQUAL);
    assertThat(rank(found, "e00", Direction.HIGHER)).isEqualTo(new RankRange(1, 1));
    assertThat(rank(found, "e01", Direction.HIGHER)).hasToString("2–3");
    assertThat(rank(found, "e00", Direction.LOWER)).hasToString("3");
    assertThat(rank(found, "e02", Direction.LOWER)).hasToString("1–2");
  }

  /** The throughputs of loads and their times, or those of a phase and its only operation. */
  @Test
  void theSameNumbersInAnotherFormHaveTheSameVerdicts() {
    double[][] speeds = {
      {1000, 1010, Double.NaN, 1005, 995}, {800, 812, 790, 803, 799}, {905, 800, 981, 796, 895}
    };
    double[][] times = new double[speeds.length][];
    for (int e = 0; e < speeds.length; e++) {
      times[e] = Arrays.stream(speeds[e]).map(speed -> 5000 / speed).toArray();
    }
    BlockTable inverse = Tables.of(times);
    PairwiseComparisons found = compare(speeds);
    assertThat(inverse.powerOf(found.table())).isEqualTo(-1);
    assertThat(found.table().powerOf(Tables.of(speeds))).isEqualTo(1);
    PairwiseComparisons shared = found.sharedWith(inverse);
    for (String one : found.table().engines()) {
      assertThat(shared.values().get(one) * found.values().get(one)).isCloseTo(5000, within(1e-6));
      assertThat(rank(shared, one, Direction.LOWER)).isEqualTo(rank(found, one, Direction.HIGHER));
      for (String other : found.table().engines()) {
        Ratio ratio = shared.verdict(one, other).ratio();
        assertThat(ratio.value())
            .isCloseTo(1 / found.verdict(one, other).ratio().value(), within(1e-9));
        assertThat(shared.verdict(one, other).kind()).isEqualTo(found.verdict(one, other).kind());
      }
    }
    times[1][2] *= 1.000_001;
    assertThat(Tables.of(times).powerOf(found.table())).isZero();
    assertThat(Tables.of(new double[][] {{1, 2}}).powerOf(Tables.of(new double[][] {{2, 4}})))
        .as("of one engine")
        .isZero();
  }

  /** Pairs without a test counted as different, from which others followed to differ. */
  @Test
  void nothingFollowsFromPairsThatAreNotTested() {
    SplittableRandom random = new SplittableRandom(3);
    int candidates = 4;
    double[][] logs = new double[candidates + 1][5 * (candidates + 1)];
    for (int e = 0; e <= candidates; e++) {
      for (int b = 0; b < logs[e].length; b++) {
        int execution = b / 5;
        // Two repetitions of all candidates, then five of each beside the base.
        boolean measured =
            execution == 0 ? e < candidates && b < 2 : e == candidates || e == execution - 1;
        logs[e][b] = measured ? 0.01 * random.nextGaussian() : Double.NaN;
      }
    }
    PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs, 5));
    for (int e = 0; e < candidates; e++) {
      assertThat(found.verdict("e0" + e, "e04").ratio().confidence())
          .isCloseTo(1 - PairwiseComparisons.TABLES / candidates, within(1e-9));
    }
  }

  /** The third engine may not get rank 2 beside an interval of its ratio that includes 1. */
  @Test
  void aRankNeverContradictsTheIntervalBesideIt() {
    PairwiseComparisons found =
        compare(
            new double[] {1000, 1003, 997},
            new double[] {900, 902, 898},
            new double[] {870, 1000, 780});
    Ratio ratio = found.verdict("e02", "e00").ratio();
    assertThat(ratio.low()).isLessThan(1);
    assertThat(ratio.high()).isGreaterThan(1);
    assertThat(rank(found, "e02", Direction.HIGHER)).hasToString("1–3");
  }

  @Test
  void ranksFollowFromTheIntervalsInEveryTable() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200; i++) {
      int engines = 2 + i % 5;
      double[][] logs = Noise.normal(0.03).unequal(2, 4).draw(engines, 3 + i % 6, random);
      for (int e = 0; e < engines; e++) {
        for (int b = 0; b < logs[e].length; b++) {
          logs[e][b] -= 0.05 * e;
        }
      }
      PairwiseComparisons found = PairwiseComparisons.of(Tables.ofLogs(logs));
      for (int e = 0; e < engines; e++) {
        RankRange rank = rank(found, Tables.engine(e), Direction.HIGHER);
        int better = 0;
        int worse = 0;
        for (int other = 0; other < engines; other++) {
          if (other != e) {
            PairVerdict verdict = found.verdict(Tables.engine(other), Tables.engine(e));
            better += verdict.ratio().low() > 1 ? 1 : 0;
            worse += verdict.ratio().high() < 1 ? 1 : 0;
            assertThat(verdict.separated())
                .isEqualTo(verdict.ratio().low() > 1 || verdict.ratio().high() < 1)
                .isEqualTo(verdict.p() <= verdict.needed());
            assertThat(verdict.kind() == Separation.EQUAL)
                .isEqualTo(
                    !verdict.separated()
                        && verdict.ratio().high() <= 1.1
                        && verdict.ratio().low() >= 1 / 1.1);
          }
        }
        assertThat(rank).isEqualTo(new RankRange(1 + better, engines - worse));
      }
    }
  }

  /** "Tied" would sound as if the data had shown it. */
  @Test
  void whatIsNotKnownIsNotCalledEqual() {
    PairwiseComparisons found =
        compare(new double[] {48_300, 61_000, 350}, new double[] {424, 39_000, 280});
    PairVerdict verdict = found.verdict("e00", "e01");
    assertThat(verdict.kind()).isEqualTo(Separation.NOT_SEPARATED);
    assertThat(verdict.detectable()).isGreaterThan(100);
  }

  /** A drift of 10 % over the repetitions is common to both; independent samples show 6 %. */
  @Test
  void aDriftOfTheMachineHidesNothing() {
    PairVerdict verdict =
        compare(new double[] {1050, 1000, 950, 905}, new double[] {948, 902, 853, 817})
            .verdict("e00", "e01");
    assertThat(verdict.separated()).isTrue();
    assertThat(verdict.ratio().value()).isCloseTo(1.109, within(0.001));
  }

  @Test
  void oneRepetitionOrTwoHaveNoVerdict() {
    for (double[][] values :
        new double[][][] {{{1000}, {1}}, {{1000, 1001}, {1, 1.001}}, {{1000, 1001, 999}, {5}}}) {
      PairwiseComparisons found = compare(values);
      PairVerdict verdict = found.verdict("e00", "e01");
      assertThat(verdict.kind()).isEqualTo(Separation.UNTESTED);
      assertThat(verdict.ratio().hasInterval()).isFalse();
      assertThat(verdict.ratio().value()).isGreaterThan(100);
      assertThat(rank(found, "e00", Direction.HIGHER)).hasToString("1–2");
    }
  }

  @Test
  void anEngineWithoutLogarithmsHasNoVerdict() {
    PairwiseComparisons found = compare(new double[] {1, 2, 0}, new double[] {1, 2, 3});
    assertThat(found.verdict("e00", "e01").kind()).isEqualTo(Separation.UNTESTED);
    assertThat(found.table().engines()).containsExactly("e01");
  }
}
