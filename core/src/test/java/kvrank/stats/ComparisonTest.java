package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.Results;
import kvrank.results.RunRecord;
import kvrank.stats.Change.Verdict;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static final List<String> PHASES = List.of("load", "get", "set", "mix");
  private static final List<String> ENGINES = List.of("a", "b", "c");

  private static Results execution(int repetitions, double cv, double speedOfA, Random random) {
    List<RunRecord> runs = new ArrayList<>();
    for (String engine : ENGINES) {
      for (int repetition = 1; repetition <= repetitions; repetition++) {
        double noise = Populations.lognormal(1, cv).draw().applyAsDouble(random);
        double speed = 10_000 * noise * (engine.equals("a") ? speedOfA : 1);
        runs.add(
            Runs.run(
                engine,
                Map.of("fsync", "off"),
                repetition,
                new Outcome.Completed(),
                PHASES.stream()
                    .map(
                        phase ->
                            Runs.phase(
                                phase,
                                phase,
                                Map.of(),
                                phase.equals("mix")
                                    ? Map.of("read", speed, "update", speed / 2)
                                    : Map.of("read", speed),
                                1))
                    .toList()));
      }
    }
    Manifest manifest =
        Runs.manifest(ENGINES, PHASES, Map.of("fsync", List.of("off")), repetitions);
    return Runs.results(manifest, runs);
  }

  @Test
  void twoRunsOfTheSameSeldomDiffer() {
    Random random = new Random(20260106);
    for (int n : List.of(3, 5)) {
      int found = 0;
      int comparisons = Integer.getInteger("kvrank.simulations", 300) / (n == 3 ? 1 : 2);
      for (int i = 0; i < comparisons; i++) {
        Comparison comparison =
            Comparison.of(execution(n, 0.05, 1, random), execution(n, 0.05, 1, random), 0);
        found +=
            comparison.changes().stream().anyMatch(each -> each.verdict() != Verdict.NONE) ? 1 : 0;
      }
      double share = (double) found / comparisons;
      if (Integer.getInteger("kvrank.simulations") != null) {
        System.out.printf("two runs of the same, n=%d, any cell differs: %.3f%n", n, share);
      }
      assertThat(share).isLessThan(0.05 + 3 * Math.sqrt(0.05 * 0.95 / comparisons));
    }
  }

  @Test
  void aSlowdownOfOneEngineIsFoundInEachOfItsCells() {
    Random random = new Random(3);
    Comparison comparison =
        Comparison.of(execution(5, 0.02, 1, random), execution(5, 0.02, 0.8, random), 0.05);
    assertThat(comparison.regressed()).isTrue();
    assertThat(comparison.of(Verdict.REGRESSION))
        .hasSizeGreaterThan(15)
        .allSatisfy(change -> assertThat(change.engine()).isEqualTo("a"));
    assertThat(comparison.of(Verdict.REGRESSION).get(0).ratio().high()).isLessThan(1);
    assertThat(comparison.of(Verdict.IMPROVEMENT)).isEmpty();
  }

  @Test
  void theToleranceAndTheDirectionAreRespected() {
    Random random = new Random(3);
    Results before = execution(10, 0.01, 1, random);
    Results slower = execution(10, 0.01, 0.8, random);
    assertThat(Comparison.of(before, slower, 0.3).regressed()).isFalse();
    assertThat(Comparison.of(before, slower, 0.3).of(Verdict.TOLERATED)).isNotEmpty();
    Comparison faster = Comparison.of(slower, before, 0.05);
    assertThat(faster.regressed()).isFalse();
    assertThat(faster.of(Verdict.IMPROVEMENT))
        .extracting(change -> change.metric().id())
        .contains("throughput", "latency-p99");
  }

  @Test
  void aRegressionIsReportedJustIfTheIntervalExcludesOne() {
    Random random = new Random(4);
    Comparison comparison =
        Comparison.of(execution(4, 0.03, 1, random), execution(4, 0.03, 0.92, random), 0);
    assertThat(comparison.changes())
        .isNotEmpty()
        .allSatisfy(
            change ->
                assertThat(change.ratio().low() <= 1 && 1 <= change.ratio().high())
                    .isEqualTo(change.verdict() == Verdict.NONE));
  }

  @Test
  void oneRepetitionCarriesNoVerdict() {
    Random random = new Random(5);
    Comparison comparison =
        Comparison.of(execution(1, 0.03, 1, random), execution(3, 0.03, 0.5, random), 0.05);
    assertThat(comparison.regressed()).isFalse();
    assertThat(comparison.changes())
        .allSatisfy(change -> assertThat(change.verdict()).isEqualTo(Verdict.UNDECIDED));
  }

  @Test
  void runsThatFailNowAreWorse() {
    Results before = execution(3, 0.03, 1, new Random(6));
    List<RunRecord> runs = new ArrayList<>(execution(3, 0.03, 1, new Random(7)).runs());
    RunRecord last = runs.get(0);
    Outcome failed = new Outcome.Failed("get", "gone");
    runs.set(0, Runs.run(last.engine(), last.factors(), last.repetition(), failed, List.of()));
    Results now = Runs.results(before.manifest(), runs);
    Comparison comparison = Comparison.of(before, now, 0.05);
    assertThat(comparison.regressed()).isTrue();
    assertThat(comparison.of(Verdict.BROKEN))
        .hasSize(PHASES.size())
        .allSatisfy(
            change ->
                assertThat(change.reason()).isEqualTo("1 of 3 runs failed in phase get: gone"));
    assertThat(Comparison.of(now, now, 0.05).regressed()).isFalse();
  }

  @Test
  void anEngineOnOneSideIsNotCompared() {
    Results before = execution(3, 0.03, 1, new Random(6));
    Results now =
        Runs.results(
            Runs.manifest(List.of("a", "b"), PHASES, Map.of("fsync", List.of("off")), 3),
            before.runs().stream().filter(run -> !run.engine().equals("c")).toList());
    Comparison comparison = Comparison.of(before, now, 0.05);
    assertThat(comparison.regressed()).isFalse();
    assertThat(comparison.of(Verdict.NOT_COMPARED))
        .isNotEmpty()
        .allSatisfy(
            change -> {
              assertThat(change.engine()).isEqualTo("c");
              assertThat(change.reason()).isEqualTo("not in the candidate");
            });
  }

  @Test
  void otherSettingsShareNoCell() {
    Results before = execution(3, 0.03, 1, new Random(6));
    List<RunRecord> runs =
        before.runs().stream()
            .map(run -> Runs.run(run.engine(), Map.of("fsync", "on"), run.repetition(), 1))
            .toList();
    assertThat(Comparison.of(before, Runs.results(before.manifest(), runs), 0).comparable())
        .isFalse();
  }
}
