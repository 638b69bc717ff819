package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RankingTest {

  private static final Group GROUP =
      new Group("get", "get", Optional.of("read"), new TreeMap<>(), new TreeSet<>());

  private static Ranking ranking(Metric metric, Map<String, Estimate> estimates) {
    return Ranking.of(metric, GROUP, new TreeMap<>(estimates), List.of());
  }

  private static Estimate around(double value, double spread) {
    return new Estimate(3, value, value - spread, value + spread);
  }

  @Test
  void theBetterValueComesFirst() {
    Map<String, Estimate> estimates =
        Map.of("a", around(10, 1), "b", around(30, 1), "c", around(20, 1));
    assertThat(Runs.ranks(ranking(Metric.THROUGHPUT, estimates)))
        .isEqualTo(Map.of(1, List.of("b"), 2, List.of("c"), 3, List.of("a")));
    assertThat(Runs.ranks(ranking(Metric.LATENCY_P99, estimates)))
        .isEqualTo(Map.of(1, List.of("a"), 2, List.of("c"), 3, List.of("b")));
  }

  @Test
  void enginesThatOverlapWithTheBestOfTheirRankShareIt() {
    Ranking ranking =
        ranking(
            Metric.THROUGHPUT,
            Map.of(
                "a", around(100, 10),
                "b", around(95, 10),
                "c", around(80, 2), // overlaps with neither
                "d", around(79, 20))); // overlaps with a as well, but c opened the rank
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a", "b"), 3, List.of("c", "d")));
    assertThat(ranking.standings()).allMatch(Standing::tied);
  }

  @Test
  void aTieIsNotPassedOnAlongAChain() {
    Ranking ranking =
        ranking(
            Metric.THROUGHPUT, Map.of("a", around(100, 6), "b", around(90, 6), "c", around(80, 6)));
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a", "b"), 3, List.of("c")));
    assertThat(ranking.standing("c").orElseThrow().tied()).isFalse();
  }

  @Test
  void oneRepetitionIsRankedByItsValueAndNeverTied() {
    Ranking ranking =
        ranking(
            Metric.THROUGHPUT,
            Map.of("a", Estimate.of(List.of(100.0)), "b", Estimate.of(List.of(99.9))));
    assertThat(Runs.ranks(ranking)).isEqualTo(Map.of(1, List.of("a"), 2, List.of("b")));
  }

  @Test
  void ratiosAreToTheBestValue() {
    Ranking ranking = ranking(Metric.THROUGHPUT, Map.of("a", around(100, 1), "b", around(25, 1)));
    assertThat(ranking.standings().stream().map(ranking::ratioToBest)).containsExactly(1.0, 0.25);
    Ranking errors = ranking(Metric.ERRORS, Map.of("a", around(0, 0), "b", around(5, 0)));
    assertThat(errors.standings().stream().map(errors::ratioToBest))
        .containsExactly(1.0, Double.NaN);
  }
}
