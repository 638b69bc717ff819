package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import org.junit.jupiter.api.Test;

class RankingTest {

  private static final Group GROUP =
      new Group("get", "get", Optional.of("read"), new TreeMap<>(), new TreeSet<>());

  private static Ranking ranking(Metric metric, Map<String, Estimate> estimates) {
    return Ranking.of(metric, GROUP, new TreeMap<>(estimates), List.of());
  }

  /** Three repetitions whose logarithms lie {@code percent} apart. */
  private static Estimate around(double value, double percent) {
    double step = Math.exp(percent / 100);
    return Estimate.of(List.of(value / step, value, value * step));
  }

  @Test
  void theBetterValueComesFirst() {
    Map<String, Estimate> estimates =
        Map.of("a", around(10, 1), "b", around(30, 1), "c", around(20, 1));
    assertThat(Runs.ranks(ranking(Metrics.THROUGHPUT, estimates)))
        .isEqualTo(Map.of(1, List.of("b"), 2, List.of("c"), 3, List.of("a")));
    assertThat(Runs.ranks(ranking(Metrics.LATENCY_P99, estimates)))
        .isEqualTo(Map.of(1, List.of("a"), 2, List.of("c"), 3, List.of("b")));
  }

  @Test
  void enginesThatCannotBeSeparatedFromTheBestShareItsRank() {
    Ranking ranking =
        ranking(
            Metrics.THROUGHPUT,
            Map.of(
                "a", around(100, 4),
                "b", around(97, 4),
                "c", around(50, 1),
                "d", around(49, 4)));
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a", "b"), 3, List.of("c", "d")));
    assertThat(ranking.standings()).allMatch(Standing::tied);
  }

  @Test
  void aRankIsSharedJustIfTheIntervalOfTheRatioIncludesOne() {
    java.util.Random random = new java.util.Random(1);
    for (int table = 0; table < 200; table++) {
      Map<String, Estimate> estimates = new TreeMap<>();
      for (String engine : List.of("a", "b", "c", "d")) {
        estimates.put(
            engine,
            Estimate.of(Populations.lognormal(1000 + random.nextInt(100), 0.03).sample(4, random)));
      }
      for (Metric metric : List.of(Metrics.THROUGHPUT, Metrics.LATENCY_P99)) {
        Ranking ranking = ranking(metric, estimates);
        boolean open = true;
        for (Standing standing : ranking.standings().subList(1, 4)) {
          boolean includes = standing.ratio().low() <= 1 && 1 <= standing.ratio().high();
          open &= includes;
          assertThat(standing.rank() == 1).isEqualTo(open);
          assertThat(standing.ratio().confidence()).isGreaterThanOrEqualTo(0.95 - 1e-12);
        }
      }
    }
  }

  @Test
  void aTieIsNotPassedOnAlongAChain() {
    Ranking ranking =
        ranking(
            Metrics.THROUGHPUT,
            Map.of("a", around(100, 3), "b", around(93, 3), "c", around(86, 3)));
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a", "b"), 3, List.of("c")));
    assertThat(ranking.standing("c").orElseThrow().tied()).isFalse();
  }

  @Test
  void oneRepetitionIsRankedByItsValueAndNeverTied() {
    Ranking ranking =
        ranking(
            Metrics.THROUGHPUT,
            Map.of("a", Estimate.of(List.of(100.0)), "b", Estimate.of(List.of(99.9))));
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a"), 2, List.of("b")));
    assertThat(ranking.standings()).noneMatch(standing -> standing.ratio().hasInterval());
    assertThat(ranking.standings()).allMatch(Standing::untested);
  }

  @Test
  void equalValuesShareARank() {
    Ranking ranking =
        ranking(
            Metrics.ERRORS,
            Map.of("a", Estimate.ofCounts(List.of(0.0)), "b", Estimate.ofCounts(List.of(0.0))));
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a", "b")));
  }

  @Test
  void ratiosAreToTheBestValue() {
    Ranking ranking = ranking(Metrics.THROUGHPUT, Map.of("a", around(100, 1), "b", around(25, 1)));
    assertThat(ranking.standings())
        .extracting(standing -> standing.ratio().value())
        .containsExactly(1.0, 0.25);
    Ratio ratio = ranking.standings().get(1).ratio();
    assertThat(ratio.low()).isLessThan(0.25);
    assertThat(ratio.high()).isGreaterThan(0.25);
    Ranking errors =
        ranking(
            Metrics.ERRORS,
            Map.of("a", Estimate.ofCounts(List.of(0.0)), "b", Estimate.ofCounts(List.of(5.0))));
    assertThat(errors.standings())
        .extracting(standing -> standing.ratio().value())
        .containsExactly(1.0, Double.NaN);
  }
}
