package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import kvrank.failure.Cause;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.stats.ExpectationResult.Verdict;
import org.junit.jupiter.api.Test;

class ExpectationResultTest {

  private static final Map<String, String> POINT = Map.of("fsync", "off", "threads", "1");

  private static Expectation expectation(
      String metric, boolean below, double bound, Map<String, String> point) {
    boolean latency = metric.startsWith("latency");
    return new Expectation(
        "a " + metric,
        "a",
        List.of(
            new Expectation.Cell(
                Optional.of("get"), latency ? Optional.of("read") : Optional.empty())),
        Metrics.named(metric),
        below,
        bound,
        new TreeMap<>(point));
  }

  private static List<ExpectationResult> judge(List<RunRecord> runs, Expectation... expectations) {
    Manifest plain =
        Runs.manifest("a", "b").phases("get").factor("fsync", "off").repetitions(3).build();
    Manifest manifest = Runs.from(plain).expectations(expectations).build();
    ExecutionResults results = Runs.results(manifest, runs);
    return ExpectationResult.of(results);
  }

  private static List<RunRecord> runs(double... throughputs) {
    List<RunRecord> runs = new ArrayList<>();
    for (double throughput : throughputs) {
      runs.add(Runs.run("a").at(POINT).repetition(runs.size() + 1).throughput(throughput).build());
    }
    return runs;
  }

  private static ExpectationResult only(List<ExpectationResult> judgements) {
    assertThat(judgements).hasSize(1);
    return judgements.get(0);
  }

  @Test
  void theGeometricMeanDecides() {
    List<RunRecord> runs = runs(90, 101, 150);
    ExpectationResult met = only(judge(runs, expectation("throughput", false, 110, Map.of())));
    assertThat(met.verdict()).isEqualTo(Verdict.MET);
    assertThat(met.certain()).isFalse();
    ExpectationResult failed = only(judge(runs, expectation("throughput", false, 112, Map.of())));
    assertThat(failed.failed()).isTrue();
    assertThat(failed.certain()).isFalse();
    assertThat(failed.estimate().orElseThrow().value())
        .isCloseTo(Math.cbrt(90.0 * 101 * 150), within(1e-9));
  }

  /** An interrupted execution said that engines failed that it had not measured. */
  @Test
  void anEngineWithoutARecordIsNotJudged() {
    List<RunRecord> others = List.of(Runs.run("b").at(POINT).repetition(1).throughput(100).build());
    assertThat(only(judge(others, expectation("throughput", false, 100, Map.of()))).verdict())
        .isEqualTo(Verdict.NOT_JUDGED);
  }

  @Test
  void theIntervalSaysHowCertain() {
    List<RunRecord> runs = runs(1000, 1001, 1002);
    assertThat(only(judge(runs, expectation("throughput", false, 900, Map.of()))).certain())
        .isTrue();
    assertThat(only(judge(runs, expectation("throughput", true, 900, Map.of()))).certain())
        .isTrue();
    ExpectationResult two =
        only(judge(runs(1000, 1001), expectation("throughput", false, 900, Map.of())));
    assertThat(two.verdict()).isEqualTo(Verdict.MET);
    assertThat(two.certain()).as("two repetitions have no interval").isFalse();
  }

  @Test
  void theBoundItselfIsNotKept() {
    List<RunRecord> runs = runs(100, 100, 100);
    assertThat(only(judge(runs, expectation("throughput", false, 100, Map.of()))).failed())
        .isTrue();
    assertThat(only(judge(runs, expectation("throughput", true, 100, Map.of()))).failed()).isTrue();
  }

  @Test
  void latencyIsOfAnOperation() {
    // A thread with 1000 operations per second has a mean of 1 ms, and here a p99 of three times
    // that.
    List<RunRecord> runs = runs(1000, 1000, 1000);
    assertThat(only(judge(runs, expectation("latency-p99", true, 3.1e6, Map.of()))).verdict())
        .isEqualTo(Verdict.MET);
    assertThat(only(judge(runs, expectation("latency-p99", true, 2.9e6, Map.of()))).verdict())
        .isEqualTo(Verdict.FAILED);
  }

  @Test
  void countsAreCertainWhereAllRepetitionsAgree() {
    ExpectationResult none =
        only(judge(runs(10, 11, 12), expectation("errors", true, 1, Map.of())));
    assertThat(none.verdict()).isEqualTo(Verdict.MET);
    assertThat(none.certain()).isTrue();
  }

  @Test
  void aPointLimitsItAndElseEveryPointIsJudged() {
    List<RunRecord> runs = new ArrayList<>(runs(100, 100, 100));
    for (int repetition = 1; repetition <= 3; repetition++) {
      runs.add(
          Runs.run("a")
              .at("fsync", "off")
              .at("threads", "8")
              .repetition(repetition)
              .throughput(500)
              .build());
    }
    assertThat(judge(runs, expectation("throughput", false, 200, Map.of())))
        .extracting(ExpectationResult::verdict)
        .containsExactly(Verdict.FAILED, Verdict.MET);
    assertThat(only(judge(runs, expectation("throughput", false, 200, Map.of("threads", "8")))))
        .extracting(ExpectationResult::verdict)
        .isEqualTo(Verdict.MET);
  }

  @Test
  void anEngineThatCannotBeHadIsNotJudgedAndOneThatBreaksFails() {
    Expectation expectation = expectation("latency-p99", true, 1e6, Map.of());
    RunRecord nowhere =
        Runs.run("a").at(POINT).outcome(new Outcome.Unavailable("no such executable")).build();
    ExpectationResult unavailable = only(judge(List.of(nowhere), expectation));
    assertThat(unavailable.verdict()).isEqualTo(Verdict.NOT_JUDGED);
    assertThat(unavailable.reason()).contains("no such executable");
    RunRecord dead =
        Runs.run("a")
            .at(POINT)
            .outcome(new Outcome.Failed("get", Cause.ENGINE, "the server is gone"))
            .build();
    ExpectationResult broken = only(judge(List.of(dead), expectation));
    assertThat(broken.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(broken.reason()).contains("the server is gone");
  }

  @Test
  void aRelativeBoundIsJudgedByTheRatioOfTheTwoRows() {
    List<RunRecord> runs = new ArrayList<>(runs(90, 180, 360));
    for (int repetition = 1; repetition <= 3; repetition++) {
      double paired = 100 << (repetition - 1);
      runs.add(Runs.run("b").at(POINT).repetition(repetition).throughput(paired).build());
    }
    Expectation plain = expectation("throughput", false, 0.8, Map.of());
    ExpectationResult met = only(judge(runs, relative(plain, 0.8, "b")));
    assertThat(met.verdict()).isEqualTo(Verdict.MET);
    assertThat(met.value()).isCloseTo(0.9, within(1e-9));
    assertThat(met.certain()).as("both double from one repetition to the next").isTrue();
    assertThat(only(judge(runs, relative(plain, 0.95, "b"))).verdict()).isEqualTo(Verdict.FAILED);
    assertThat(only(judge(runs, relative(plain, 0.95, "best"))).value())
        .isCloseTo(0.9, within(1e-9));
  }

  /** Its ratio to the best, itself, was 1 without an interval. */
  @Test
  void theFirstByChanceIsNotCertainlyTheBest() {
    List<RunRecord> runs = new ArrayList<>(runs(100, 140, 90));
    double[] other = {120, 100, 100};
    for (int repetition = 1; repetition <= 3; repetition++) {
      runs.add(
          Runs.run("b").at(POINT).repetition(repetition).throughput(other[repetition - 1]).build());
    }
    Expectation plain = expectation("throughput", false, 0.95, Map.of());
    ExpectationResult first = only(judge(runs, relative(plain, 0.95, "best")));
    assertThat(first.verdict()).isEqualTo(Verdict.MET);
    assertThat(first.value()).isEqualTo(1);
    assertThat(first.low()).isLessThan(0.95);
    assertThat(first.certain()).isFalse();
  }

  @Test
  void aRowWithNothingToCompareWithIsNotJudged() {
    List<RunRecord> runs = new ArrayList<>(runs(90, 90, 90));
    runs.add(Runs.run("b").at(POINT).outcome(new Outcome.Unavailable("no executable")).build());
    ExpectationResult alone =
        only(judge(runs, relative(expectation("throughput", false, 1, Map.of()), 0.9, "b")));
    assertThat(alone.verdict()).isEqualTo(Verdict.NOT_JUDGED);
    assertThat(alone.value()).isNaN();
    assertThat(alone.reason()).contains("b has no value", "no executable");
  }

  private static Expectation relative(Expectation of, double share, String other) {
    return new Expectation(
        of.text(),
        of.engine(),
        of.cells(),
        of.metric(),
        of.below(),
        share,
        of.point(),
        Optional.of(other));
  }

  @Test
  void anEngineWhoseMemoryCannotBeSeenIsNotJudged() {
    ExpectationResult unseen =
        only(judge(runs(10, 10, 10), expectation("memory", true, 1e9, Map.of())));
    assertThat(unseen.verdict()).isEqualTo(Verdict.NOT_JUDGED);
    assertThat(unseen.reason()).contains("kvrank cannot observe its process");
  }

  @Test
  void aPercentileThatTheSampleCannotCarryFails() {
    ExpectationResult judgement =
        only(judge(runs(10, 10, 10), expectation("latency-p999", true, 1e12, Map.of())));
    assertThat(judgement.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(judgement.reason()).contains("too few requests");
  }

  @Test
  void withoutExpectationsThereIsNothingToJudge() {
    assertThat(judge(runs(1, 2, 3))).isEmpty();
  }
}
