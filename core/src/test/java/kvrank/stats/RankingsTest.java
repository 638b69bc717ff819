package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.metric.Metrics;
import kvrank.metric.Usage;
import kvrank.report.CrashExamples;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.infer.Estimate;
import kvrank.stats.infer.RankRange;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class RankingsTest {

  private static final Map<String, String> OFF = Map.of("fsync", "off");
  private static final Manifest ONE_POINT =
      Runs.manifest("a", "b").phases("get").factor("fsync", "off").repetitions(3).build();

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
              Runs.run(engine)
                  .at("fsync", "off")
                  .at("threads", threads)
                  .repetition(repetition)
                  .throughput(1000 + random.nextInt(100))
                  .build());
        }
      }
    }
    runs.add(
        Runs.run("c")
            .at("fsync", "off")
            .at("threads", "8")
            .repetition(4)
            .outcome(new Outcome.Failed("get", Cause.ENGINE, "gone"))
            .build());
    Manifest manifest =
        Runs.manifest("c", "a", "b")
            .phases("get")
            .factor("fsync", "off")
            .factor("threads", "1", "8", "16")
            .repetitions(3)
            .build();
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

  /** A lost run would make one of two equal engines the fastest in half of all tables. */
  @Test
  void anEngineThatLostARunSeparatesNoOther() {
    List<RunRecord> runs = new ArrayList<>();
    Map<String, Integer> levels = Map.of("a", 1000, "b", 900, "c", 100);
    levels.forEach(
        (engine, level) -> {
          for (int repetition = 1; repetition <= (engine.equals("b") ? 2 : 3); repetition++) {
            int throughput = level + repetition * level / 100;
            runs.add(
                Runs.run(engine).at(OFF).repetition(repetition).throughput(throughput).build());
          }
        });
    Manifest manifest =
        Runs.manifest("a", "b", "c").phases("get").factor("fsync", "off").repetitions(3).build();
    assertThat(throughput(Runs.results(manifest, runs)).standings())
        .extracting(Standing::engine, Standing::untested, Standing::ranks)
        .containsExactly(
            tuple("a", false, new RankRange(1, 2)),
            tuple("b", true, new RankRange(1, 2)),
            tuple("c", false, new RankRange(3, 3)));
  }

  @Test
  void pointsFollowTheManifestAndOnlyVaryingFactorsAreShown() {
    List<RunRecord> runs = new ArrayList<>();
    for (String threads : List.of("16", "2")) {
      runs.add(
          Runs.run("a")
              .at("fsync", "off")
              .at("threads", threads)
              .at("batch", "1")
              .throughput(1000)
              .build());
    }
    Manifest manifest = Runs.manifest("a").phases("get").factor("threads", "2", "16").build();
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
            List.of(
                Runs.run("a").at(OFF).throughput(1000).build(),
                Runs.run("b").at("fsync", "on").throughput(10).build()));
    assertThat(Rankings.of(results))
        .filteredOn(ranking -> ranking.metric().equals(Metrics.THROUGHPUT))
        .allSatisfy(ranking -> assertThat(ranking.standings()).hasSize(1));
  }

  @Test
  void anEngineWithoutALogIsRankedApartAndSoIsSaid() {
    Map<String, String> none = Map.of("fsync", "none");
    Outcome missing = new Outcome.Unavailable("not installed");
    Manifest manifest =
        Runs.manifest("a", "cache", "gone").phases("get").factor("fsync", "off").build();
    ExecutionResults results =
        Runs.results(
            manifest,
            List.of(
                Runs.run("a").at(OFF).throughput(1000).build(),
                Runs.run("cache").at(none).throughput(9000).build(),
                Runs.run("gone").at(OFF).outcome(missing).build()));
    List<Ranking> rankings =
        Rankings.of(results).stream()
            .filter(each -> each.metric().equals(Metrics.THROUGHPUT))
            .filter(each -> each.group().operation().isEmpty())
            .toList();
    Excluded gone = new Excluded("gone", Absence.UNAVAILABLE, "not installed", 1, 1);
    String reason = "it has no log, and is ranked at fsync=none";
    assertThat(rankings.get(0).standings()).extracting(Standing::engine).containsExactly("a");
    assertThat(rankings.get(0).excluded())
        .containsExactly(new Excluded("cache", Absence.UNSUPPORTED, reason, 1, 1), gone);
    assertThat(rankings.get(1).standings()).extracting(Standing::engine).containsExactly("cache");
    assertThat(rankings.get(1).excluded()).containsExactly(gone);
  }

  /** A second execution replaced the repetitions of the first. */
  @Test
  void repetitionsWithoutALogAreCountedInAllExecutions() {
    List<ExecutionResults> executions = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ExecutionResults results =
          Runs.results(
              Runs.manifest("a", "cache")
                  .phases("get")
                  .factor("fsync", "off")
                  .planned(Instant.ofEpochSecond(i))
                  .build(),
              List.of(
                  Runs.run("a").at(OFF).throughput(1000).build(),
                  Runs.run("cache").at("fsync", "none").throughput(9000).build()));
      executions.add(
          new ExecutionResults(
              Path.of("results/" + i),
              results.manifest(),
              new Facts().put(Fact.HOST, "alpha"),
              results.runs(),
              List.of()));
    }
    assertThat(Rankings.of(Merge.of(executions).results()).get(0).excluded())
        .extracting(Excluded::engine, Excluded::repetitions, Excluded::planned)
        .containsExactly(tuple("cache", 2, 2));
  }

  @Test
  void anEngineWithoutARecordIsExcludedNotDropped() {
    ExecutionResults results =
        Runs.results(ONE_POINT, List.of(Runs.run("a").at(OFF).throughput(1000).build()));
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
                Runs.run("a").at(OFF).throughput(1000).build(),
                Runs.run("a")
                    .at(OFF)
                    .repetition(2)
                    .outcome(incorrect)
                    .phases(Runs.phase("get", incorrect))
                    .build(),
                Runs.run("a")
                    .at(OFF)
                    .repetition(3)
                    .outcome(new Outcome.Failed("load", Cause.ENGINE, "gone"))
                    .build(),
                Runs.run("b").at(OFF).outcome(new Outcome.Unavailable("no docker")).build()));
    Ranking ranking = throughput(results);
    assertThat(ranking.standing("a").orElseThrow().estimate().samples()).isEqualTo(1);
    assertThat(ranking.excluded())
        .containsExactly(
            new Excluded("a", Absence.INCORRECT, "in phase get: 7 values were wrong", 1, 3),
            new Excluded("a", Absence.FAILED, "in phase load: gone", 1, 3),
            new Excluded("b", Absence.UNAVAILABLE, "no docker", 1, 1));
  }

  /** One request in 10 µs of a phase of 10 s does not show a rate. */
  @Test
  void aClosedLoopThatWasHardlyMeasuredDoesNotCount() {
    List<RunRecord> runs = new ArrayList<>();
    for (long nanos : List.of(10_000_000_000L, 10_000L, 200_000_000L)) {
      PhaseRecord phase =
          Runs.phase("get")
              .at("duration", "10s")
              .elapsedNanos(nanos)
              .operation("read", 1000)
              .facts(Map.of("user.writtenBytes", "0", "records", "5"))
              .build();
      runs.add(Runs.run("a").at(OFF).repetition(runs.size() + 1).phases(phase).build());
    }
    RankingIndex index = RankingIndex.of(Runs.results(ONE_POINT, runs));
    Ranking ranking = index.throughput(index.phaseGroups().get(0));
    assertThat(ranking.standing("a").orElseThrow().estimate().samples()).isEqualTo(2);
    assertThat(ranking.excluded())
        .contains(
            new Excluded(
                "a",
                Absence.NOT_MEASURABLE,
                "less than 1 % of its time was measured: a request of the warm-up lasted into it",
                1,
                3));
  }

  @Test
  void aDisturbedRunDoesNotCountIfThreeOthersDo() {
    assertThat(ofRuns(0.3, 0.02, 0.02, 0.02))
        .isEqualTo("1000/s of 3 runs, without 1 of 4: disturbed");
    assertThat(ofRuns(0.3, 0.3, 0.02, 0.02)).isEqualTo("707/s of 4 runs");
    assertThat(ofRuns(0.3, 0.02, 0.02)).isEqualTo("794/s of 3 runs");
    assertThat(ofRuns(0.3, 0.3, 0.02, 0.02, 0.02)).isEqualTo("758/s of 5 runs");
  }

  @Test
  void disturbedRunsCountIfAnEngineHasFewOthers() {
    List<RunRecord> runs = new ArrayList<>(runs("a", 0.3, 0.02, 0.02, 0.02));
    runs.addAll(runs("b", 0.3, 0.3, 0.02, 0.02));
    assertThat(throughput(Runs.results(ONE_POINT, runs)).standings())
        .extracting(standing -> standing.estimate().samples())
        .containsExactly(4L, 4L);
  }

  /**
   * Every standing rests on the runs that count, and each other run has the reason of the ranking.
   */
  @Test
  void eachRunCountsOrHasAReason() {
    List<RunRecord> runs = new ArrayList<>(runs("a", 0.3, 0.02, 0.02, 0.02));
    Outcome failed = new Outcome.Failed("get", Cause.ENGINE, "gone");
    runs.add(
        Runs.run("a")
            .at(OFF)
            .repetition(5)
            .outcome(failed)
            .phases(Runs.phase("get", failed))
            .build());
    RankingIndex index = RankingIndex.of(Runs.results(ONE_POINT, runs));
    List<Counted> counted = index.counted(index.phaseGroups().get(0), "a");
    assertThat(counted).extracting(Counted::run).containsExactlyElementsOf(runs);
    assertThat(counted)
        .extracting(each -> each.leftOut().map(Excluded::absence))
        .containsExactly(
            Optional.of(Absence.DISTURBED),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(Absence.FAILED));
    assertThat(index.throughput(index.phaseGroups().get(0)).excluded())
        .filteredOn(each -> each.engine().equals("a"))
        .extracting(Excluded::reason)
        .containsExactlyInAnyOrderElementsOf(
            counted.stream()
                .flatMap(each -> each.leftOut().stream())
                .map(Excluded::reason)
                .toList());
    assertThat(index.counted(index.phaseGroups().get(0), "b")).isEmpty();
  }

  /** A run whose figures are good does not count if the engine lost what it promised to keep. */
  @Test
  void noRunOfAnEngineThatIsNotDurableCounts() {
    RankingIndex index = RankingIndex.of(CrashExamples.cut());
    for (Group group : index.phaseGroups()) {
      for (String engine : index.engines()) {
        long counting =
            index.counted(group, engine).stream().filter(e -> e.leftOut().isEmpty()).count();
        assertThat(counting)
            .as(engine + group.pointSuffix())
            .isEqualTo(
                index
                    .throughput(group)
                    .standing(engine)
                    .map(standing -> standing.estimate().samples())
                    .orElse(0L));
      }
    }
    assertThat(index.phaseGroups())
        .flatExtracting(group -> index.counted(group, "cheat"))
        .extracting(each -> each.leftOut().map(Excluded::absence))
        .contains(Optional.of(Absence.NOT_DURABLE));
  }

  /** Runs at 1000/s beside others with these shares of the machine, at half of it beside many. */
  private static List<RunRecord> runs(String engine, double... others) {
    List<RunRecord> runs = new ArrayList<>();
    for (double share : others) {
      PhaseRecord phase =
          Runs.phase("get")
              .operation("read", share > 0.1 ? 500 : 1000)
              .facts(Map.of("others.cpuShare", Double.toString(share)))
              .build();
      runs.add(Runs.run(engine).at(OFF).repetition(runs.size() + 1).phases(phase).build());
    }
    return runs;
  }

  private static String ofRuns(double... others) {
    Ranking ranking = throughput(Runs.results(ONE_POINT, runs("a", others)));
    Estimate estimate = ranking.standing("a").orElseThrow().estimate();
    String counted = "%.0f/s of %d runs".formatted(estimate.value(), estimate.samples());
    return ranking.excluded().stream()
        .filter(each -> each.engine().equals("a") && each.absence() != Absence.MISSING)
        .map(
            each ->
                ", without %d of %d: %s"
                    .formatted(each.repetitions(), each.planned(), each.absence().label()))
        .reduce(counted, String::concat);
  }

  @Test
  void aPhaseThatNoEngineCompletedStillHasItsThroughput() {
    Outcome unsupported = new Outcome.Unsupported("a has no prefix-scan");
    ExecutionResults results =
        Runs.results(
            Runs.manifest("a").phases("prefix-scan").build(),
            List.of(Runs.run("a").at(OFF).phases(Runs.phase("prefix-scan", unsupported)).build()));
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
          Runs.run(engine)
              .at(OFF)
              .phases(
                  Runs.phase("get")
                      .at(OFF)
                      .operation("read", 10.0)
                      .elapsedNanos(1)
                      .memory(1000)
                      .footprint(5)
                      .embedded(inWorker)
                      .build())
              .build();
      runs.add(Runs.from(run).facts(Map.of("way", engine)).build());
    }
    Ranking memory =
        Rankings.of(Runs.results(Runs.manifest().phases("get").build(), runs)).stream()
            .filter(ranking -> ranking.metric().equals(Metrics.MEMORY))
            .findFirst()
            .orElseThrow();
    assertThat(memory.standings())
        .extracting(Standing::engine)
        .containsExactly("embedded", "server");
    assertThat(memory.excluded())
        .containsExactly(
            new Excluded("external", Absence.NO_VALUE, "kvrank cannot observe its process", 1, 1));
  }

  /** "0 of 1 runs not durable" was the reason that a phase had none that the engine cannot do. */
  @Test
  void aLossTakesAwayOnlyRepetitionsThatThereAre() {
    Map<String, String> on = Map.of("fsync", "on");
    RunRecord run =
        Runs.run("lossy")
            .at(on)
            .phases(
                Runs.phase("load").at(on).operation("insert", 10.0).build(),
                Runs.phase("scan", new Outcome.Unsupported("it has no scan")))
            .crashTest(CrashExamples.cuts(CrashExamples.cut(9_000, 1_000_000, 0)))
            .build();
    RankingIndex index =
        RankingIndex.of(
            Runs.results(Runs.manifest("lossy").phases("load", "scan").build(), List.of(run)));
    assertThat(index.phaseGroups())
        .extracting(group -> index.throughput(group).excluded())
        .containsExactly(
            List.of(
                new Excluded(
                    "lossy",
                    Absence.NOT_DURABLE,
                    "it LOST 1 acknowledged write in 1 of 1 power cut",
                    1,
                    1)),
            List.of(new Excluded("lossy", Absence.UNSUPPORTED, "it has no scan", 1, 1)));
  }

  /** The reason was that kvrank cannot observe the process, which it did. */
  @Test
  void aFigureThatAnOlderKvrankDidNotRecordHasThatReason() {
    Usage older =
        new Usage(
            1,
            1,
            1000,
            1000,
            1000,
            0,
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());
    PhaseRecord phase =
        Runs.phase("get")
            .at(OFF)
            .operation("read", 10.0)
            .resources(Runs.resources(older, older, 5))
            .build();
    RankingIndex index =
        RankingIndex.of(
            Runs.results(
                Runs.manifest("a").phases("get").build(),
                List.of(Runs.run("a").at(OFF).phases(phase).build())));
    assertThat(index.rankingOrEmpty(index.phaseGroups().get(0), Metrics.MEMORY).excluded())
        .containsExactly(
            new Excluded(
                "a",
                Absence.NO_VALUE,
                "the record does not have it; an older kvrank may have written it",
                1,
                1));
  }

  /** Otherwise a p99.9 of one repetition may be below a p99 of three. */
  @Test
  void percentilesOfARowAreOfTheSameRepetitions() {
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      double throughput = repetition == 1 ? 2000 : 500;
      runs.add(
          Runs.run("a")
              .at(OFF)
              .repetition(repetition)
              .phases(
                  Runs.phase("get")
                      .at(OFF)
                      .operation("read", throughput)
                      .threads(repetition == 1 ? 1 : 9)
                      .build())
              .build());
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
            Runs.manifest("a").phases("mix").build(),
            List.of(
                Runs.run("a")
                    .at(OFF)
                    .phases(
                        Runs.phase("mix")
                            .at(OFF)
                            .operation("read", 30.0)
                            .operation("update", 10.0)
                            .build())
                    .build()));
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
