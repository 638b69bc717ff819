package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class RankingsTest {

  private static final Map<String, String> OFF = Map.of("fsync", "off");
  private static final Manifest ONE_POINT =
      Runs.manifest(List.of("a", "b"), List.of("get"), Map.of("fsync", List.of("off")), 3);

  private static Ranking throughput(ExecutionResults results) {
    return Rankings.of(results).get(0);
  }

  @Test
  void doNotDependOnTheOrderOfTheRecords() {
    List<RunRecord> runs = new ArrayList<>();
    Random random = new Random(1);
    for (String engine : List.of("a", "b", "c")) {
      for (String threads : List.of("1", "16", "8")) {
        for (int repetition = 1; repetition <= 3; repetition++) {
          runs.add(
              Runs.run(
                  engine,
                  Map.of("fsync", "off", "threads", threads),
                  repetition,
                  1000 + random.nextInt(100)));
        }
      }
    }
    runs.add(
        Runs.run(
            "c",
            Map.of("fsync", "off", "threads", "8"),
            4,
            new Outcome.Failed("get", "gone"),
            List.of()));
    Manifest manifest =
        Runs.manifest(
            List.of("c", "a", "b"),
            List.of("get"),
            Map.of("fsync", List.of("off"), "threads", List.of("1", "8", "16")),
            3);
    List<Tuple> expected =
        Rankings.of(Runs.results(manifest, runs)).stream()
            .map(each -> tuple(each.group(), each.metric(), each.standings(), each.excluded()))
            .toList();
    for (int i = 0; i < 10; i++) {
      Collections.shuffle(runs, random);
      assertThat(Rankings.of(Runs.results(manifest, runs)))
          .extracting(Ranking::group, Ranking::metric, Ranking::standings, Ranking::excluded)
          .isEqualTo(expected);
    }
  }

  @Test
  void pointsFollowTheManifestAndOnlyVaryingFactorsAreShown() {
    List<RunRecord> runs = new ArrayList<>();
    for (String threads : List.of("16", "2")) {
      runs.add(Runs.run("a", Map.of("fsync", "off", "threads", threads, "batch", "1"), 1, 1000));
    }
    Manifest manifest =
        Runs.manifest(List.of("a"), List.of("get"), Map.of("threads", List.of("2", "16")), 1);
    assertThat(Rankings.of(Runs.results(manifest, runs)))
        .extracting(ranking -> ranking.group().point())
        .startsWith("fsync=off, threads=2")
        .endsWith("fsync=off, threads=16");
  }

  @Test
  void durabilityClassesAreNeverInOneRanking() {
    ExecutionResults results =
        Runs.results(
            ONE_POINT,
            List.of(Runs.run("a", OFF, 1, 1000), Runs.run("b", Map.of("fsync", "on"), 1, 10)));
    assertThat(Rankings.of(results))
        .filteredOn(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        .allSatisfy(ranking -> assertThat(ranking.standings()).hasSize(1));
  }

  @Test
  void anEngineWithoutALogIsRankedApartAndSoIsSaid() {
    Map<String, String> none = Map.of("fsync", "none");
    Outcome missing = new Outcome.Unavailable("not installed");
    Manifest manifest =
        Runs.manifest(
            List.of("a", "cache", "gone"), List.of("get"), Map.of("fsync", List.of("off")), 1);
    ExecutionResults results =
        Runs.results(
            manifest,
            List.of(
                Runs.run("a", OFF, 1, 1000),
                Runs.run("cache", none, 1, 9000),
                Runs.run("gone", OFF, 1, missing, List.of())));
    List<Ranking> rankings =
        Rankings.of(results).stream()
            .filter(each -> each.metric().equals(Metrics.THROUGHPUT))
            .filter(each -> each.group().operation().isEmpty())
            .toList();
    Excluded gone = new Excluded("gone", Absence.UNAVAILABLE, "not installed", 1, 1);
    String reason = "it has no log; it is ranked at fsync=none";
    assertThat(rankings.get(0).standings()).extracting(Standing::engine).containsExactly("a");
    assertThat(rankings.get(0).excluded())
        .containsExactly(new Excluded("cache", Absence.UNSUPPORTED, reason, 1, 1), gone);
    assertThat(rankings.get(1).standings()).extracting(Standing::engine).containsExactly("cache");
    assertThat(rankings.get(1).excluded()).containsExactly(gone);
  }

  @Test
  void anEngineWithoutARecordIsExcludedNotDropped() {
    ExecutionResults results = Runs.results(ONE_POINT, List.of(Runs.run("a", OFF, 1, 1000)));
    assertThat(throughput(results).excluded())
        .containsExactly(
            new Excluded("a", Absence.MISSING, "no record", 2, 3),
            new Excluded("b", Absence.MISSING, "no record", 3, 3));
  }

  @Test
  void onlyCompletedPhasesCount() {
    Outcome incorrect = new Outcome.Incorrect("get", "7 values were wrong");
    ExecutionResults results =
        Runs.results(
            ONE_POINT,
            List.of(
                Runs.run("a", OFF, 1, 1000),
                Runs.run("a", OFF, 2, incorrect, List.of(Runs.phase("get", incorrect))),
                Runs.run("a", OFF, 3, new Outcome.Failed("load", "gone"), List.of()),
                Runs.run("b", OFF, 1, new Outcome.Unavailable("no docker"), List.of())));
    Ranking ranking = throughput(results);
    assertThat(ranking.standing("a").orElseThrow().estimate().samples()).isEqualTo(1);
    assertThat(ranking.excluded())
        .containsExactly(
            new Excluded("a", Absence.INCORRECT, "in phase get: 7 values were wrong", 1, 3),
            new Excluded("a", Absence.FAILED, "in phase load: gone", 1, 3),
            new Excluded("b", Absence.UNAVAILABLE, "no docker", 1, 1));
  }

  @Test
  void aPhaseThatNoEngineCompletedStillHasItsThroughput() {
    Outcome unsupported = new Outcome.Unsupported("a has no prefix-scan");
    ExecutionResults results =
        Runs.results(
            Runs.manifest(List.of("a"), List.of("prefix-scan"), Map.of(), 1),
            List.of(
                Runs.run(
                    "a",
                    OFF,
                    1,
                    new Outcome.Completed(),
                    List.of(Runs.phase("prefix-scan", unsupported)))));
    assertThat(Rankings.of(results)).hasSize(1);
    assertThat(throughput(results).standings()).isEmpty();
    assertThat(throughput(results).excluded())
        .containsExactly(new Excluded("a", Absence.UNSUPPORTED, "a has no prefix-scan", 1, 1));
  }

  @Test
  void memoryIsTheServersUnlessTheEngineIsEmbedded() {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : List.of("server", "embedded", "external")) {
      boolean inWorker = !engine.equals("server");
      RunRecord run =
          Runs.run(
              engine,
              OFF,
              1,
              new Outcome.Completed(),
              List.of(
                  Runs.with(
                      Runs.phase("get", "get", OFF, Map.of("read", 10.0), 1),
                      inWorker,
                      1,
                      1000,
                      5)));
      runs.add(Runs.with(run, Map.of("way", engine), ""));
    }
    Ranking memory =
        Rankings.of(Runs.results(Runs.manifest(List.of(), List.of("get"), Map.of(), 1), runs))
            .stream()
            .filter(ranking -> ranking.metric().equals(Metrics.MEMORY))
            .findFirst()
            .orElseThrow();
    assertThat(memory.standings())
        .extracting(Standing::engine)
        .containsExactly("embedded", "server");
    assertThat(memory.excluded())
        .containsExactly(
            new Excluded("external", Absence.NO_VALUE, "its process cannot be seen", 1, 1));
  }

  /** 0.1.0 showed a p99.9 of one repetition below a p99 of three. */
  @Test
  void percentilesOfARowAreOfTheSameRepetitions() {
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      double throughput = repetition == 1 ? 2000 : 500;
      runs.add(
          Runs.run(
              "a",
              OFF,
              repetition,
              new Outcome.Completed(),
              List.of(
                  Runs.phase(
                      "get", "get", OFF, Map.of("read", throughput), repetition == 1 ? 1 : 9))));
    }
    List<Ranking> latencies =
        Rankings.of(Runs.results(ONE_POINT, runs)).stream()
            .filter(ranking -> Metrics.latencies().contains(ranking.metric()))
            .toList();
    assertThat(latencies)
        .extracting(ranking -> ranking.metric().shortName())
        .contains("p99")
        .doesNotContain("p999");
    assertThat(latencies)
        .allSatisfy(
            ranking -> assertThat(ranking.standings().get(0).estimate().samples()).isEqualTo(3));
  }

  @Test
  void operationsOfAMixAreGroupsOfTheirOwn() {
    ExecutionResults results =
        Runs.results(
            Runs.manifest(List.of("a"), List.of("mix"), Map.of(), 1),
            List.of(
                Runs.run(
                    "a",
                    OFF,
                    1,
                    new Outcome.Completed(),
                    List.of(
                        Runs.phase("mix", "mix", OFF, Map.of("read", 30.0, "update", 10.0), 1)))));
    assertThat(Rankings.of(results))
        .filteredOn(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        .extracting(
            ranking -> ranking.group().operation(),
            ranking -> ranking.standings().get(0).estimate().value())
        .containsExactly(
            tuple(Optional.empty(), 40.0),
            tuple(Optional.of("read"), 30.0),
            tuple(Optional.of("update"), 10.0));
  }
}
