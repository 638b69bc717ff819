package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.Wording;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.infer.Ratio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DecidingMetricTest {

  @RegisterExtension final Wording wording = new Wording();

  private static final Map<String, String> POINT = Map.of("fsync", "off");

  /** Returns two engines that keep the rate; their latencies vary by a factor of 10. */
  private static ExecutionResults atRate() {
    return atRate(Map.of("a", 1000.0, "b", 1000.0), "get");
  }

  /** Returns the same at these rates, for 10 s. */
  private static ExecutionResults atRate(Map<String, Double> rates, String... phases) {
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      for (String engine : List.of("a", "b")) {
        double mean = (i + engine.hashCode()) % 2 == 0 ? 1e6 : 1e7;
        List<PhaseRecord> records = new ArrayList<>();
        for (String phase : phases) {
          records.add(
              Runs.phase(phase)
                  .at(POINT)
                  .operation("read", Runs.operation(rates.get(engine), mean, Map.of()))
                  .facts(Map.of("rate.asked", "1000", "rate.achieved", "1000"))
                  .build());
        }
        runs.add(Runs.run(engine).at(POINT).repetition(i).phases(records).build());
      }
    }
    Manifest manifest =
        Runs.manifest("a", "b")
            .phases(phases)
            .repetitions(8)
            .untilSeparated(List.of(List.of("best")))
            .build();
    return Runs.results(manifest, runs);
  }

  /** The throughputs are equal within 10 %, so every comparison was called settled. */
  @Test
  void repetitionsAreSettledByTheLatencyAtAGivenRate() {
    assertThat(OpenComparison.of(atRate()))
        .extracting(open -> open.group().operation(), OpenComparison::engine, OpenComparison::other)
        .containsExactly(tuple(Optional.of("read"), "b", "a"));
  }

  /** It was the noise of throughput, which a rate fixes. */
  @Test
  void noiseIsThatOfTheLatencyAtAGivenRate() {
    assertThat(Rankings.noise(atRate())).isGreaterThan(1);
  }

  /** The throughputs, which the rate fixes, were compared, and repeated until they were settled. */
  @Test
  void tooFewRequestsAtAGivenRateDecideNothing() {
    ExecutionResults results = atRate(Map.of("a", 20.0, "b", 20.1), "get", "scan");
    RankingIndex index = RankingIndex.of(results);
    assertThat(index.phaseGroups())
        .map(index::decisive)
        .allSatisfy(
            ranking -> {
              assertThat(ranking.metric()).isEqualTo(Metrics.LATENCY_P99);
              assertThat(ranking.group().operation()).contains("read");
              assertThat(ranking.standings()).isEmpty();
              assertThat(ranking.excluded())
                  .extracting(Excluded::engine, Excluded::absence, Excluded::reason)
                  .containsExactlyInAnyOrder(
                      tuple("a", Absence.NO_VALUE, "too few requests: 200; p99 needs 1,000"),
                      tuple("b", Absence.NO_VALUE, "too few requests: 201; p99 needs 1,000"));
            });
    assertThat(index.across()).isEmpty();
    assertThat(OpenComparison.of(results)).isEmpty();
    wording.check(Settlement.of(results).summary());
    assertThat(Rankings.noise(results)).isNaN();
    assertThat(Rankings.decidingValues(results))
        .hasSize(2)
        .allSatisfy(
            ranking -> {
              assertThat(ranking.metric()).isEqualTo(Metrics.LATENCY_P99);
              assertThat(ranking.standings()).isEmpty();
              assertThat(ranking.excluded("a"))
                  .extracting(Excluded::reason)
                  .containsExactly("too few requests: 200; p99 needs 1,000");
            });
  }

  /** All engines were judged by throughput. */
  @Test
  void anEngineWithTooFewRequestsIsNotRankedBesideOthers() {
    RankingIndex index = RankingIndex.of(atRate(Map.of("a", 1000.0, "b", 50.0), "get"));
    Ranking decisive = index.decisive(index.phaseGroups().get(0));
    assertThat(decisive.metric()).isEqualTo(Metrics.LATENCY_P99);
    assertThat(decisive.standings()).extracting(Standing::engine).containsExactly("a");
    assertThat(decisive.excluded())
        .extracting(Excluded::engine, Excluded::reason)
        .containsExactly(tuple("b", "too few requests: 500; p99 needs 1,000"));
  }

  /** A phase named by {@code as} was not among the tables that share the error. */
  @Test
  void aPhaseMayHaveAnotherNameThanItsWorkload() {
    List<Ratio> ratios = new ArrayList<>();
    for (String workload : List.of("set", "other")) {
      List<RunRecord> runs = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        for (String engine : List.of("a", "b")) {
          double speed = 1000 + 100 * ((i * 7 + engine.hashCode()) % 5);
          runs.add(
              Runs.run(engine)
                  .at(POINT)
                  .repetition(i)
                  .phases(
                      Runs.phase("get").at(POINT).operation("read", speed).build(),
                      Runs.phase("set")
                          .workload(workload)
                          .at(POINT)
                          .operation("read", speed + 50 * i)
                          .build())
                  .build());
        }
      }
      RankingIndex index =
          RankingIndex.of(Runs.results(Runs.manifest("a", "b").phases("get", "set").build(), runs));
      assertThat(index.phaseGroups()).extracting(Group::workload).containsExactly("get", workload);
      ratios.add(index.decisive(index.phaseGroups().get(1)).ratio("a", "b"));
    }
    assertThat(ratios.get(1)).isEqualTo(ratios.get(0));
  }

  /** Throughput was the metric of every overview and of the comparison across workloads. */
  @Test
  void isThatOfTheReportAndAcrossWorkloads() {
    Map<String, Double> rates = Map.of("a", 1000.0, "b", 1000.0);
    RankingIndex index = RankingIndex.of(atRate(rates, "get", "scan"));
    assertThat(index.phaseGroups())
        .map(index::decisive)
        .map(Ranking::metric)
        .containsExactly(Metrics.LATENCY_P99, Metrics.LATENCY_P99);
    assertThat(index.across())
        .extracting(AcrossWorkloads::metric)
        .containsExactly(Metrics.LATENCY_P99);
    assertThat(RankingIndex.of(atRate()).across())
        .as("one workload has the verdicts of its ranking")
        .isEmpty();
    assertThat(RankingIndex.of(atRate(rates, "load", "scan")).across())
        .as("a load is not a workload")
        .isEmpty();
  }

  @Test
  void readsOfAGroupOfThreadsComeBeforeItsWrites() {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("a", "b")) {
      PhaseRecord phase =
          Runs.phase("mixed")
              .at(POINT)
              .operation("readers:read", Runs.operation(1000, 1e6, Map.of()))
              .operation("writers:update", Runs.operation(9000, 1e6, Map.of()))
              .facts(Map.of("rate.asked", "10000", "rate.achieved", "10000"))
              .build();
      runs.add(Runs.run(engine).at(POINT).phases(phase).build());
    }
    RankingIndex index =
        RankingIndex.of(Runs.results(Runs.manifest("a", "b").phases("mixed").build(), runs));
    assertThat(index.phaseGroups())
        .map(index::decisive)
        .extracting(Ranking::metric, ranking -> ranking.group().operation())
        .containsExactly(tuple(Metrics.LATENCY_P99, Optional.of("readers:read")));
  }

  /** The p99 of fills was beside the throughput of a cache, by the alphabet. */
  @Test
  void readsAreForemostAndFillsAreNot() {
    PhaseRecord phase =
        Runs.phase("cached")
            .at(POINT)
            .operation("fill", Runs.operation(9000, 1e6, Map.of()))
            .operation("read", Runs.operation(1000, 1e6, Map.of()))
            .build();
    RankingIndex index =
        RankingIndex.of(
            Runs.results(
                Runs.manifest("a").phases("cached").build(),
                List.of(Runs.run("a").at(POINT).phases(phase).build())));
    assertThat(index.foremost(index.phaseGroups().get(0)).flatMap(Group::operation))
        .contains("read");
  }

  @Test
  void transactionsDecideAndNotTheirReads() {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("a", "b")) {
      for (Map<String, String> rate :
          List.of(Map.<String, String>of(), Map.of("rate.asked", "9", "rate.achieved", "9"))) {
        PhaseRecord phase =
            Runs.phase(rate.isEmpty() ? "free" : "rated")
                .at(POINT)
                .operation("read", Runs.operation(3000, 1e6, Map.of("ERROR", 1L)))
                .operation("transaction", Runs.operation(1000, 5e6, Map.of("ERROR", 1L)))
                .facts(rate)
                .build();
        runs.add(Runs.run(engine).at(POINT).phases(phase).build());
        Sample sample = new Sample(runs.get(0), phase, Optional.empty());
        assertThat(List.of(sample.ok(), sample.errors())).containsExactly(10_000.0, 1.0);
        assertThat(sample.throughput())
            .isEqualTo(phase.operations().get("transaction").throughput());
        assertThat(phase.throughput()).isEqualTo(sample.throughput());
      }
    }
    RankingIndex index =
        RankingIndex.of(
            Runs.results(Runs.manifest("a", "b").phases("free", "rated").build(), runs));
    assertThat(index.phaseGroups())
        .map(index::decisive)
        .extracting(Ranking::metric, ranking -> ranking.group().operation())
        .containsExactly(
            tuple(Metrics.THROUGHPUT, Optional.empty()),
            tuple(Metrics.LATENCY_P99, Optional.of("transaction")));
    assertThat(index.operations(index.phaseGroups().get(0)))
        .extracting(Group::operation)
        .containsExactly(Optional.of("transaction"), Optional.of("read"));
  }

  /**
   * The family of a metric has all its tables, so that an open comparison agrees with the report.
   */
  @Test
  void openComparisonsHaveTheVerdictsOfTheReport() {
    ExecutionResults results = atRate();
    RankingIndex index = RankingIndex.of(results);
    assertThat(Rankings.deciding(results))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("excluded")
        .isEqualTo(Stream.of(index.phaseGroups().get(0)).map(index::decisive).toList());
  }
}
