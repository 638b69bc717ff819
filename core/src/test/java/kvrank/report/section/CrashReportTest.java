package kvrank.report.section;

import static kvrank.report.CrashExamples.cut;
import static kvrank.report.CrashExamples.cuts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.Wording;
import kvrank.failure.Cause;
import kvrank.report.CrashExamples;
import kvrank.report.block.Block;
import kvrank.report.chart.Chart;
import kvrank.report.ranking.Notes;
import kvrank.report.write.Reports;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.Load;
import kvrank.results.Durability.Verdict;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a report says of engines that avoid power cuts, or hide what they lost. */
class CrashReportTest {

  @RegisterExtension final Wording wording = new Wording();

  private final List<RunRecord> runs = new ArrayList<>();

  private CrashReportTest run(String engine, String threads, Optional<CrashTrialResult> test) {
    Map<String, String> point = Map.of("fsync", "on", "threads", threads);
    RunRecord loaded =
        Runs.run(engine)
            .at(point)
            .outcome(
                test.isPresent()
                    ? new Outcome.Completed()
                    : new Outcome.Failed("delete", Cause.ENGINE, "100 operations failed"))
            .phases(
                Runs.phase("load")
                    .at(point)
                    .operation("insert", 40_000.0)
                    .durability(
                        Runs.durability(Verdict.PROVEN, 41_000, 40_000, "1.03 flushes per write"))
                    .build())
            .build();
    runs.add(test.map(result -> Runs.from(loaded).crashTest(result).build()).orElse(loaded));
    return this;
  }

  private RankingIndex index(String... threads) {
    String[] engines = runs.stream().map(RunRecord::engine).distinct().toArray(String[]::new);
    return RankingIndex.of(
        Runs.results(
            Runs.manifest(engines).phases("load").factor("threads", threads).build(), runs));
  }

  private static Optional<CrashTrialResult> kept() {
    return Optional.of(cuts(cut(9_000, 0, 0), cut(8_000, 0, 0), cut(8_500, 0, 0)));
  }

  private static String console(RankingIndex index) {
    return Reports.of(index.results()).console(200, false);
  }

  @Test
  void theFirstScreenHasAChartOfTheLossesAtEachLevel() {
    RankingIndex board = RankingIndex.of(cut());
    List<Block> first = CrashReport.first(board, new Notes(board));
    List<Chart.Rows> charts =
        first.stream()
            .filter(Block.Figure.class::isInstance)
            .map(block -> (Chart.Rows) ((Block.Figure) block).chart().get().orElseThrow())
            .toList();
    assertThat(charts)
        .extracting(chart -> chart.caption().where())
        .containsExactly("fsync=on", "fsync=every-1s", "fsync=off");
    assertThat(charts.get(0).rows())
        .extracting(row -> row.label() + " " + row.note())
        .as("without an engine whose cuts prove nothing")
        .containsExactly("honest 0", "sleeper 0", "fragile 0", "cheat LOST 80");
    assertThat(first)
        .noneMatch(block -> block instanceof Block.Items || block instanceof Block.Warning);
  }

  @Test
  void anEngineThatAvoidsTheCutIsNotCut() {
    run("honest", "4", kept());
    run("evader", "4", Optional.of(CrashTrialResult.unsupported(true, "no insert")));
    run("failing", "4", Optional.empty());
    RankingIndex index = index("4");

    wording.check(CrashAnswers.of(index));
    assertThat(console(index).lines().filter(line -> line.contains(" proven, ")))
        .hasSize(3)
        .allMatch(
            line -> line.contains("0 of 3 cuts lost") == line.contains("honest"), "honest is cut")
        .allMatch(line -> line.contains("not cut") != line.contains("honest"), "others are not");
  }

  @Test
  void aReportWithoutAnyCutSaysSo() {
    Outcome failed = new Outcome.Failed("load", Cause.ENGINE, "it ran out of space");
    for (String engine : List.of("one", "other")) {
      runs.add(
          Runs.run(engine)
              .at(Map.of("fsync", "on", "threads", "4"))
              .outcome(failed)
              .phases(Runs.phase("load", failed))
              .crashTest(CrashTrialResult.missed(true, failed))
              .build());
    }
    RankingIndex index = index("4");

    wording.check(CrashAnswers.of(index));
    assertThat(console(index)).contains("one and other were not cut.");
  }

  /** Thirty engines at {@code off} were a sentence of twenty lines. */
  @Test
  void manyEnginesThatLoseWhatTheirLevelAllowsAreSummedUp() {
    for (int i = 1; i <= 6; i++) {
      runs.add(
          Runs.run("e" + i)
              .at(Map.of("fsync", "off", "threads", "4"))
              .phases(Runs.phase("load").operation("insert", 40_000.0).build())
              .crashTest(cuts(cut(9_000, i * 1_000_000L, 0), cut(9_000, 0, 0)))
              .build());
    }
    runs.add(
        Runs.run("other")
            .at(Map.of("fsync", "off", "threads", "4"))
            .phases(Runs.phase("load").operation("insert", 40_000.0).build())
            .crashTest(cuts(cut(9_000, 0, 0), cut(9_000, 0, 0)))
            .build());
    wording.check(CrashAnswers.of(index("4")));
  }

  @Test
  void lossesAreAmongTheWritesOfCutsThatProveSomething() {
    Crash lost = cut(9_000, 1_000_000, 0);
    Crash idle = CrashExamples.lately(cut(700, 0, 0), 3);
    Crash unread =
        new Crash(
            lost.ending(),
            8_000,
            OptionalLong.empty(),
            Optional.empty(),
            "did not restart",
            lost.powerCut(),
            lost.lately(),
            List.of(),
            List.of());
    runs.add(
        Runs.run("other")
            .at(Map.of("fsync", "off", "threads", "4"))
            .phases(Runs.phase("load").operation("insert", 40_000.0).build())
            .crashTest(cuts(lost, idle, unread))
            .build());

    wording.check(CrashAnswers.of(index("4")));
    assertThat(console(index("4"))).containsPattern("1 of 3 +1 +9,000 +1 ");
  }

  /** The engine ended by a signal that others send, before its records were read. */
  @Test
  void anUnknownAttemptMayHaveLostSomething() {
    CrashTrialResult hidden =
        cuts(
            cut(9_000, 0, 0).after(List.of("it was killed"), List.of(Cause.OUTSIDER)),
            cut(8_000, 0, 0),
            cut(8_500, 0, 0));
    run("honest", "4", kept()).run("hiding", "4", Optional.of(hidden));
    RankingIndex index = index("4");

    wording.check(CrashAnswers.of(index));
    assertThat(console(index))
        .contains("0 (< 63 %)", "3 of 4  0–1 (< 75 %)", "0 of 3 cuts lost, 1 unknown");
  }

  /** Trials have at most 128 clients, and their records stay. */
  @Test
  void theTableSaysHowItsWritesDifferFromThePhases() {
    run("honest", "4", kept().map(test -> test.with(new Load(4, 4, false))));
    assertThat(console(index("4"))).contains("Lost in a power cut").doesNotContain("Unlike");
    run("other", "4", kept().map(test -> test.with(new Load(128, 1_000, true))));
    assertThat(console(index("4")).replaceAll("\\s+", " "))
        .contains(
            "Unlike the phases, this was with 128 of 1,000 clients and records without a time to"
                + " live.");
  }

  @Test
  void anEngineThatStillRunsDidNotAnswer() {
    Crash kept = cut(9_000, 0, 0);
    Crash silent =
        new Crash(
                kept.ending(),
                9_000,
                OptionalLong.empty(),
                Optional.empty(),
                "did not restart: it did not answer its ping for 30 s",
                kept.powerCut(),
                kept.lately(),
                List.of(),
                List.of())
            .silent(30_000_000_000L);
    run("honest", "4", kept()).run("slow", "4", Optional.of(cuts(kept, silent, kept)));
    RankingIndex index = index("4");

    wording.check(CrashAnswers.of(index));
    assertThat(console(index)).contains("no answer in 30 s").doesNotContain("  did not restart");
  }

  @Test
  void anEngineThatLostSomethingIsNotRankedAtThatLevel() {
    CrashTrialResult lost = cuts(cut(9_000, 40_000_000, 0), cut(8_000, 0, 0), cut(8_500, 0, 0));
    run("honest", "1", kept()).run("honest", "4", kept());
    run("cheat", "1", kept()).run("cheat", "4", Optional.of(lost));
    RankingIndex index = index("1", "4");

    assertThat(index.phaseGroups())
        .hasSize(2)
        .allSatisfy(
            group -> {
              assertThat(index.throughput(group).standing("honest")).isPresent();
              assertThat(index.throughput(group).standing("cheat")).isEmpty();
              assertThat(index.throughput(group).excluded("cheat"))
                  .singleElement()
                  .satisfies(
                      each ->
                          assertThat(each.reason())
                              .isEqualTo("it LOST 40 acknowledged writes in 1 of 6 power cuts"));
            });
  }
}
