package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.stats.infer.BlockTable;
import kvrank.stats.infer.Noise;
import kvrank.stats.infer.PairInference;
import kvrank.stats.infer.PairwiseComparisons;
import kvrank.stats.infer.Ratio;
import kvrank.stats.infer.RepetitionBlock;
import kvrank.stats.infer.Separation;
import org.junit.jupiter.api.Test;

class RankingTest {

  private static final Group GROUP =
      new Group("get", "get", Optional.of("read"), new TreeMap<>(), new TreeSet<>());

  private static Ranking ranking(Metric metric, Map<String, List<Double>> values) {
    return Ranking.of(metric, GROUP, Runs.blocks(values), List.of());
  }

  private static Ranking throughput(Map<String, List<Double>> values) {
    return ranking(Metrics.THROUGHPUT, values);
  }

  @Test
  void theBetterValueComesFirst() {
    Map<String, List<Double>> values =
        Map.of(
            "a", List.of(10.0, 10.1, 9.9),
            "b", List.of(30.1, 30.0, 29.9),
            "c", List.of(20.0, 19.9, 20.2));
    assertThat(Runs.ranges(throughput(values))).isEqualTo("{b=1, c=2, a=3}");
    assertThat(Runs.ranges(ranking(Metrics.LATENCY_P99, values))).isEqualTo("{a=1, c=2, b=3}");
  }

  /** The tests allow for all pairs, as in the whole ranking. */
  @Test
  void someEnginesAreRankedAmongEachOtherByTheSameTests() {
    Ranking all =
        throughput(
            Map.of(
                "a", List.of(90.0, 90.1, 89.9),
                "b", List.of(30.1, 30.0, 29.9),
                "c", List.of(20.0, 19.9, 20.2),
                "d", List.of(10.0, 10.1, 9.9)));
    Ranking some = all.only(engine -> "bd".contains(engine));
    assertThat(Runs.ranges(some)).isEqualTo("{b=1, d=2}");
    Standing last = some.standing("d").orElseThrow();
    assertThat(last.ratio()).isEqualTo(all.verdict("d", "b").ratio());
    assertThat(last.estimate()).isEqualTo(all.standing("d").orElseThrow().estimate());
    assertThat(some.standing("b").orElseThrow().ratio()).isEqualTo(Ratio.ONE);
    assertThat(all.only(engine -> false).standings()).isEmpty();
  }

  /** The third engine may not get rank 2 beside an interval of its ratio that includes 1. */
  @Test
  void aRankIsARangeThatTheIntervalBesideItAgreesWith() {
    Ranking ranking =
        throughput(
            Map.of(
                "a", List.of(1000.0, 1003.0, 997.0),
                "b", List.of(900.0, 902.0, 898.0),
                "c", List.of(870.0, 1000.0, 780.0)));
    Standing third = ranking.standing("c").orElseThrow();
    assertThat(third.ratio().low()).isLessThan(1);
    assertThat(third.ratio().high()).isGreaterThan(1);
    assertThat(third.ranks()).hasToString("1–3");
    assertThat(ranking.separation(third)).isEqualTo(Separation.NOT_SEPARATED);
  }

  /** It was "not separated" beside the ranks 2–4: another than the first is better. */
  @Test
  void anEngineBelowAnotherIsNotOneOfTheBest() {
    Ranking ranking =
        throughput(
            Map.of(
                "a", List.of(1500.0, 700.0, 1600.0, 900.0, 1700.0),
                "b", List.of(1000.0, 1003.0, 997.0, 1001.0, 999.0),
                "c", List.of(800.0, 803.0, 797.0, 801.0, 799.0),
                "d", List.of(640.0, 643.0, 637.0, 641.0, 639.0)));
    assertThat(Runs.ranges(ranking)).isEqualTo("{a=1–3, b=1–2, c=2–3, d=4}");
    assertThat(ranking.standings())
        .map(ranking::separation)
        .containsExactly(
            Separation.BEST,
            Separation.NOT_SEPARATED,
            Separation.BELOW_ANOTHER,
            Separation.SEPARATED);
  }

  /** The machine slows down by a fifth, which is not noise of each engine. */
  @Test
  void aDriftOfTheMachineHidesNothing() {
    Ranking ranking =
        throughput(
            Map.of(
                "a", List.of(1000.0, 945.0, 898.0, 851.0, 812.0),
                "b", List.of(902.0, 850.0, 812.0, 765.0, 731.0)));
    assertThat(Runs.ranges(ranking)).isEqualTo("{a=1, b=2}");
    assertThat(ranking.standings().get(1).ratio().value()).isCloseTo(0.9, within(0.01));
  }

  /** Runs are fast or slow, and no engine is better: independent samples separate a fifth. */
  @Test
  void twoSpeedsOfAMachineAreNotTakenForADifference() {
    SplittableRandom random = new SplittableRandom(20261106);
    int separated = 0;
    int tables = 300;
    for (int i = 0; i < tables; i++) {
      double[][] logs = Noise.bimodal(0.3).draw(2, 5, random);
      TreeMap<String, List<Double>> values = new TreeMap<>();
      for (int e = 0; e < 2; e++) {
        values.put(
            Tables.engine(e), java.util.Arrays.stream(logs[e]).map(Math::exp).boxed().toList());
      }
      separated += throughput(values).standings().get(1).rank() > 1 ? 1 : 0;
    }
    assertThat((double) separated / tables).isLessThan(0.05 + 3 * Math.sqrt(0.05 * 0.95 / tables));
  }

  @Test
  void whatIsNotKnownIsNotCalledEqual() {
    Ranking unknown =
        throughput(
            Map.of("a", List.of(48_300.0, 61_000.0, 350.0), "b", List.of(424.0, 39_000.0, 280.0)));
    assertThat(unknown.separation(unknown.standings().get(1))).isEqualTo(Separation.NOT_SEPARATED);
    Ranking equal =
        throughput(Map.of("a", List.of(1000.0, 1005.0, 995.0), "b", List.of(998.0, 1004.0, 996.0)));
    assertThat(equal.separation(equal.standings().get(1))).isEqualTo(Separation.EQUAL);
    assertThat(Runs.ranges(equal)).isEqualTo("{a=1–2, b=1–2}");
    assertThat(equal.separation(equal.standings().get(0))).isEqualTo(Separation.BEST);
  }

  /** The plain mean of the values that it has would put it first. */
  @Test
  void anEngineIsNoneTheBetterForASlowBlockThatItMissed() {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> values =
        Runs.blocks(
            Map.of(
                "a", List.of(1000.0, 900.0, 800.0, 700.0, 100.0),
                "b", List.of(950.0, 850.0, 755.0, 660.0)));
    Ranking ranking = Ranking.of(Metrics.THROUGHPUT, GROUP, values, List.of());
    assertThat(Runs.ranges(ranking)).isEqualTo("{a=1, b=2}");
    assertThat(
            ranking.standing("b").orElseThrow().estimate().value()
                / ranking.standing("a").orElseThrow().estimate().value())
        .isCloseTo(ranking.standing("b").orElseThrow().ratio().value(), within(1e-9));
  }

  /** The machine was faster when it had its repetitions. */
  @Test
  void anEngineIsNoneTheBetterForWhenItRan() {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> values =
        Runs.blocks(
            Map.of(
                "a", List.of(1000.0, 1100.0, 1200.0, 1300.0, 1400.0, 1500.0, 1600.0, 1700.0),
                "b", List.of(1.0, 1.0, 1.0, 1.0, 1260.0, 1575.0, 1488.0, 1734.0)));
    for (int repetition = 1; repetition <= 4; repetition++) {
      values.get("b").remove(new RepetitionBlock(0, repetition));
    }
    Ranking ranking = Ranking.of(Metrics.THROUGHPUT, GROUP, values, List.of());
    assertThat(Runs.ranges(ranking)).isEqualTo("{a=1–2, b=1–2}");
  }

  /** Blocks that an engine has for itself alone place it nowhere. */
  @Test
  void blocksOfOneEngineAlonePlaceItNowhere() {
    BlockTable table =
        Tables.of(
            new double[][] {
              {100, 110, 90, 10, 10, 10, 10, 10},
              {80, 88, 72, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN}
            });
    assertThat(PairwiseComparisons.of(table).verdict("e01", "e00").value())
        .isCloseTo(0.8, within(1e-3));
  }

  /** Two executions that differ by more than their repetitions do are a sample of two, not ten. */
  @Test
  void executionsAreTheSampleWhereThereAreSeveral() {
    SortedMap<String, SortedMap<RepetitionBlock, Double>> values = new TreeMap<>();
    double[][] shifts = {{1.00, 1.08, 0.97}, {0.95, 1.01, 1.02}};
    for (int e = 0; e < 2; e++) {
      SortedMap<RepetitionBlock, Double> blocks = new TreeMap<>();
      for (int x = 0; x < 3; x++) {
        for (int r = 1; r <= 5; r++) {
          blocks.put(new RepetitionBlock(x, r), 1000 * shifts[e][x] * (1 + 0.002 * r));
        }
      }
      values.put("e" + e, blocks);
    }
    Ranking ranking = Ranking.of(Metrics.THROUGHPUT, GROUP, values, List.of());
    assertThat(Runs.ranges(ranking)).isEqualTo("{e0=1–2, e1=1–2}");
    assertThat(ranking.verdict("e0", "e1").inference().orElseThrow().basis())
        .isEqualTo(PairInference.Basis.EXECUTIONS);
    assertThat(ranking.standings().get(0).estimate().samples()).isEqualTo(15);
    assertThat(ranking.standings().get(0).estimate().high()).isGreaterThan(1100);
  }

  @Test
  void oneRepetitionIsRankedByItsValueAlone() {
    Ranking ranking = throughput(Map.of("a", List.of(100.0), "b", List.of(99.9)));
    assertThat(Runs.ranges(ranking)).isEqualTo("{a=1, b=2}");
    assertThat(ranking.standings()).noneMatch(standing -> standing.ratio().hasInterval());
    assertThat(ranking.standings()).allMatch(Standing::untested);
    assertThat(ranking.separation(ranking.standings().get(1))).isEqualTo(Separation.UNTESTED);
  }

  /** Equal engines always differ in their counts, so a rank by these would mean nothing. */
  @Test
  void countsAreFactsAndNotRanked() {
    Ranking ranking =
        ranking(
            Metrics.named("not-found"),
            Map.of("a", List.of(512.0, 498.0, 505.0), "b", List.of(480.0, 481.0, 482.0)));
    assertThat(Runs.ranges(ranking)).isEqualTo("{b=1–2, a=1–2}");
    assertThat(ranking.standings()).noneMatch(standing -> standing.ratio().hasInterval());
    assertThat(ranking.separation(ranking.standings().get(1))).isEqualTo(Separation.UNTESTED);
  }

  @Test
  void ratiosAreToTheBestValue() {
    Ranking ranking =
        throughput(Map.of("a", List.of(100.0, 101.0, 99.0), "b", List.of(25.0, 25.1, 24.9)));
    assertThat(ranking.standings().get(0).ratio()).isEqualTo(Ratio.ONE);
    Ratio ratio = ranking.standings().get(1).ratio();
    assertThat(ratio.value()).isCloseTo(0.25, within(0.001));
    assertThat(ratio.low()).isLessThan(0.25);
    assertThat(ratio.high()).isGreaterThan(0.25);
    Ranking zero = throughput(Map.of("a", List.of(0.0), "b", List.of(0.0)));
    assertThat(zero.standings().get(1).ratio().value()).isEqualTo(1);
  }
}
