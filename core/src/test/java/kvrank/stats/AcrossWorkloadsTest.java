package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import kvrank.metric.Metrics;
import org.junit.jupiter.api.Test;

class AcrossWorkloadsTest {

  private static Ranking ranking(String phase, Map<String, String> point, Map<String, Double> of) {
    TreeMap<String, List<Double>> values = new TreeMap<>();
    of.forEach((engine, value) -> values.put(engine, List.of(value)));
    Group group =
        new Group(
            phase, phase, Optional.empty(), new TreeMap<>(point), new TreeSet<>(point.keySet()));
    return Ranking.of(Metrics.THROUGHPUT, group, Runs.blocks(values), List.of());
  }

  private static Ranking ranking(String phase, Map<String, Double> of) {
    return ranking(phase, Map.of("fsync", "off"), of);
  }

  private static AcrossWorkloads only(List<Ranking> rankings) {
    List<AcrossWorkloads> all = AcrossWorkloads.of(rankings);
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void meansAreGeometricAndOfRanks() {
    AcrossWorkloads across =
        only(
            List.of(
                ranking("get", Map.of("a", 100.0, "b", 50.0)),
                ranking("set", Map.of("a", 100.0, "b", 800.0)),
                ranking("scan", Map.of("a", 30.0, "b", 30.0))));
    AcrossWorkloads.Row b = across.rows().get(0);
    assertThat(b.engine()).isEqualTo("b");
    assertThat(b.ratio()).isCloseTo(Math.cbrt(0.5), within(1e-12));
    assertThat(b.meanRank()).isCloseTo((2 + 1 + 1.5) / 3, within(1e-12));
    assertThat(across.rows().get(1).ratio()).isCloseTo(Math.cbrt(0.125), within(1e-12));
    assertThat(across.workloads()).containsExactly("get", "set", "scan");
    assertThat(across.workloadsNeeded()).isEqualTo(6);
    assertThat(across.pairs()).noneMatch(across::separated);
  }

  @Test
  void aWorkloadCountsOnce() {
    AcrossWorkloads across =
        only(
            List.of(
                ranking(
                    "get", Map.of("fsync", "off", "threads", "1"), Map.of("a", 10.0, "b", 40.0)),
                ranking(
                    "get", Map.of("fsync", "off", "threads", "8"), Map.of("a", 10.0, "b", 10.0)),
                ranking(
                    "set", Map.of("fsync", "off", "threads", "1"), Map.of("a", 9.0, "b", 9.0))));
    assertThat(across.workloads()).containsExactly("get", "set");
    assertThat(across.rows().get(1).ratio()).isCloseTo(Math.sqrt(0.5), within(1e-12));
  }

  @Test
  void durabilityClassesAndHostsStayApart() {
    Map<String, Double> values = Map.of("a", 1.0, "b", 2.0);
    assertThat(
            AcrossWorkloads.of(
                List.of(
                    ranking("get", Map.of("fsync", "off", "host", "alpha"), values),
                    ranking("get", Map.of("fsync", "on", "host", "alpha"), values),
                    ranking("get", Map.of("fsync", "on", "host", "beta"), values))))
        .extracting(AcrossWorkloads::place)
        .containsExactly(
            new TreeMap<>(Map.of("fsync", "off", "host", "alpha")),
            new TreeMap<>(Map.of("fsync", "on", "host", "alpha")),
            new TreeMap<>(Map.of("fsync", "on", "host", "beta")));
  }

  @Test
  void holesAreLeftOutAndNamed() {
    AcrossWorkloads across =
        only(
            List.of(
                ranking("load", Map.of("a", 1.0, "b", 2.0, "rare", 3.0)),
                ranking("get", Map.of("a", 1.0, "b", 2.0)),
                ranking("set", Map.of("a", 1.0, "b", 2.0)),
                ranking("scan", Map.of("a", 1.0)),
                ranking(
                    "get", Map.of("fsync", "off", "rate", "100"), Map.of("a", 100.0, "b", 100.0))));
    assertThat(across.workloads()).containsExactly("load", "get", "set");
    assertThat(across.rows()).extracting(AcrossWorkloads.Row::engine).containsExactly("b", "a");
    assertThat(across.leftOut())
        .containsExactly(
            "points with a rate: their throughput is the rate that was set",
            "rare: a value in only 1 of 4 phases",
            "scan: no value for b");
  }

  private static List<Ranking> workloads(int number, Random random, double advantage) {
    List<Ranking> rankings = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      Map<String, Double> values = new TreeMap<>();
      for (String engine : List.of("a", "b", "c", "d")) {
        double noise = Math.exp(random.nextGaussian() / 10);
        values.put(engine, noise * (engine.equals("a") ? advantage : 1));
      }
      rankings.add(ranking("w" + i, values));
    }
    return rankings;
  }

  @Test
  void fourEnginesNeedEightWorkloads() {
    AcrossWorkloads seven = only(workloads(7, new Random(1), 3));
    assertThat(seven.workloadsNeeded()).isEqualTo(8);
    assertThat(seven.gateOpen()).isTrue();
    assertThat(seven.pairs()).hasSize(6).noneMatch(seven::separated);
    AcrossWorkloads eight = only(workloads(8, new Random(1), 3));
    assertThat(eight.pairs().stream().filter(eight::separated))
        .hasSize(3)
        .allSatisfy(pair -> assertThat(pair.first()).isEqualTo("a"))
        .allSatisfy(pair -> assertThat(pair.p()).isLessThanOrEqualTo(0.05));
  }

  @Test
  void equalEnginesAreSeldomSeparated() {
    Random random = new Random(2);
    int found = 0;
    int tables = 400;
    for (int i = 0; i < tables; i++) {
      AcrossWorkloads across = only(workloads(10, random, 1));
      found += across.pairs().stream().anyMatch(across::separated) ? 1 : 0;
    }
    assertThat((double) found / tables).isLessThan(0.05);
  }

  @Test
  void doesNotDependOnTheOrderOfTheWorkloads() {
    List<Ranking> rankings = workloads(9, new Random(3), 1.1);
    AcrossWorkloads expected = only(rankings);
    Collections.shuffle(rankings, new Random(4));
    AcrossWorkloads shuffled = only(rankings);
    for (int i = 0; i < expected.pairs().size(); i++) {
      assertThat(shuffled.pairs().get(i).p()).isEqualTo(expected.pairs().get(i).p());
    }
    assertThat(shuffled.friedman().orElseThrow().p())
        .isCloseTo(expected.friedman().orElseThrow().p(), within(1e-12));
  }
}
