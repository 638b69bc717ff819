package kvrank.run;

import static kvrank.run.ScriptedExecution.FAILED;
import static kvrank.run.ScriptedExecution.levelOfSeparation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import kvrank.Wording;
import kvrank.plan.RunSpec;
import kvrank.report.MadeUpEvidence;
import kvrank.report.Report;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import kvrank.stats.OpenComparison;
import kvrank.stats.RankingIndex;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Repetitions until comparisons are settled or the budget is over. */
class AdaptiveRepetitionsTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  private static String report(ExecutionResults results) {
    Report report = new Report(RankingIndex.of(results));
    return report.full(new MadeUpEvidence("name: three\n"), report.requestedTables()).toString();
  }

  /** Two engines as good as each other, of which each is now three times as fast, now the other. */
  private static double wild(RunSpec run) {
    double noise = run.key().repetition() % 2 == 0 ? 1.7 : 0.6;
    return switch (run.engine().label()) {
      case "rocksdb" -> 2_000 * noise;
      case "other" -> 2_000 / noise;
      default -> 1;
    };
  }

  private String lastEvent() {
    List<String> events = scripted.events();
    return events.get(events.size() - 1);
  }

  @Test
  void onlyWhatIsNotSettledIsRepeated() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 4, at-most: 20, until: separated}")
        .throughput(ScriptedExecution::oneFarBehind);

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed(4)).containsExactly("other", "redis", "rocksdb");
    assertThat(scripted.executed(5)).containsExactly("other", "rocksdb");
    int last = results.runs().stream().mapToInt(RunRecord::repetition).max().orElseThrow();
    assertThat(last).isLessThan(20);
    assertThat(OpenComparison.of(results)).isEmpty();
    assertThat(OpenComparison.of(results.upTo(4))).isNotEmpty();
    assertThat(scripted.events())
        .anyMatch(
            said ->
                said.matches(
                    "after repetition 4 of 20: not settled: get at fsync=off: other and rocksdb"
                        + " \\(0.\\d+x, 0.\\d+ to 1.\\d+x\\); repeating other, rocksdb"));
    assertThat(scripted.events())
        .last()
        .isEqualTo("after repetition " + last + " of 20: every comparison is settled");
    assertThat(report(results))
        .contains("settled: after " + last + " of 20: every comparison is settled.");
    assertThat(report(results.upTo(4)))
        .contains(
            "settled: after 4 of 20, but it was not over: --resume continues it: not settled");
    assertThat(results.unreadable()).isEmpty();
  }

  /** The best and its rival are open, too, but the scenario does not ask about them. */
  @Test
  void namedComparisonsReplaceThoseWithTheBest() throws Exception {
    scripted
        .threeEngines(
            "repetitions: {at-least: 3, at-most: 9, until: separated, compare: [[redis, other]]}")
        .throughput(
            run ->
                ScriptedExecution.oneFarBehind(run)
                    * (run.engine().label().equals("redis") ? 1.85 : 1));

    ResultsDirectory directory = scripted.execute();
    ExecutionResults results = directory.read();

    assertThat(scripted.executed(4)).containsExactly("other", "redis");
    assertThat(OpenComparison.of(results.upTo(3)))
        .extracting(OpenComparison::engine, OpenComparison::other)
        .containsExactly(tuple("redis", "other"));
    assertThat(scripted.continuation(directory, "test").scenario())
        .extracting(each -> each.repetitions().compare())
        .isEqualTo(List.of(List.of("redis", "other")));
    assertThat(new Report(RankingIndex.of(results)).brief().toString())
        .contains("get at fsync=off: other and redis are equal within 10 %, 1.02x, ");
    assertThat(new Report(RankingIndex.of(results.upTo(2))).brief().toString())
        .contains("get at fsync=off: other and redis have too few repetitions, 1.0");
  }

  @Test
  void theSummaryHasTheResultsOfNamedComparisons() throws Exception {
    scripted
        .threeEngines(
            "repetitions: {at-least: 4, at-most: 9, until: separated, compare: [redis, [other,"
                + " rocksdb]]}")
        .throughput(ScriptedExecution::oneFarBehind);

    ExecutionResults results = scripted.execute().read().upTo(5);

    assertThat(new Report(RankingIndex.of(results)).brief().toString())
        .contains(
            "get at fsync=off: rocksdb is faster than redis, 2.0x, ",
            "get at fsync=off: other is faster than redis, 1.9x, ",
            "get at fsync=off: rocksdb and other are not separated, 1.05x, ");
  }

  /** It said that every comparison was settled. */
  @Test
  void aComparisonWithAMissingEngineIsNotSettled() throws Exception {
    scripted
        .threeEngines(
            "repetitions: {at-least: 3, at-most: 4, until: separated, compare: [[redis, other]]}",
            "redis",
            "rocksdb")
        .throughput(ScriptedExecution::oneFarBehind);

    scripted.execute();

    wording.check(lastEvent());
  }

  @Test
  void anEngineMayBeTheBaseline() throws Exception {
    scripted
        .threeEngines(
            "repetitions: {at-least: 3, at-most: 4, until: separated, compare: [other, best]}")
        .throughput(
            run ->
                ScriptedExecution.oneFarBehind(run)
                    * (run.engine().label().equals("redis") ? 1.85 : 1));

    ExecutionResults results = scripted.execute().read();

    assertThat(OpenComparison.of(results.upTo(3)))
        .extracting(OpenComparison::engine, OpenComparison::other)
        .contains(tuple("redis", "other"), tuple("rocksdb", "other"));
  }

  @Test
  void enginesThatAreNearEnoughNeedNotBeSeparated() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 4, at-most: 9, until: {ratio: 1.5}}")
        .throughput(ScriptedExecution::oneFarBehind);

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed()).hasSize(12);
    assertThat(OpenComparison.of(results.upTo(4))).isEmpty();
  }

  @Test
  void anInterruptedExecutionIsResumed() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 3, at-most: 9, until: separated}")
        .throughput(ScriptedExecution::oneFarBehind);
    scripted.execute();
    List<String> whole = List.copyOf(scripted.executed());
    scripted.executed().clear();

    Execution interrupted = scripted.execution();
    scripted.atStartOf("rocksdb.r4", interrupted::abort);
    ResultsDirectory results = scripted.execute(interrupted);
    scripted.atStartOf("rocksdb.r4", () -> {});
    assertThat(scripted.executed()).isNotEqualTo(whole);
    scripted.continuing(results);
    scripted.resume(results);

    assertThat(scripted.executed().stream().distinct().toList()).isEqualTo(whole);
  }

  @Test
  void repetitionsEndWithTheirBudget() throws Exception {
    scripted
        .threeEngines(
            "repetitions: {at-least: 3, at-most: 9, until: {interval: 0.1%}}\nbudget: 100s")
        .throughput(ScriptedExecution::oneFarBehind)
        .seconds(7); // 9 runs take 63 s, and 5 more are all that fit

    ResultsDirectory results = scripted.execute();

    assertThat(scripted.executed()).hasSizeBetween(10, 14);
    assertThat(results.read().manifest().adaptive().orElseThrow().ended()).contains(5);
    assertThat(levelOfSeparation(results)).as("the last look spends the rest").isGreaterThan(0.02);
    assertThat(scripted.events())
        .last()
        .asString()
        .contains(" of 9, and no more fit into the budget: not settled: get at fsync=off");

    assertThat(report(results.read()))
        .contains("settled: after 5 of 9, and no more fit into the budget: not settled: get at ");

    scripted.executed().clear();
    scripted.continuing(results);
    scripted.resume(results);
    assertThat(scripted.executed()).isEmpty();

    scripted.continuing(results, 10);
    scripted.resume(results);
    assertThat(report(results.read()))
        .contains("settled: after 10 of 10, and at-most allows no more: not settled: get at ");
    assertThat(scripted.executed(5)).as("who adds some has the time").isNotEmpty();
    assertThat(levelOfSeparation(results)).isLessThan(0.01);
  }

  @Test
  void comparisonsOutOfReachWaitForMoreRepetitions() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 3, at-most: 20, until: separated}\nbudget: 30m")
        .throughput(AdaptiveRepetitionsTest::wild)
        .seconds(7);

    ResultsDirectory results = scripted.execute();

    int last = results.read().repetitions();
    assertThat(last).isBetween(5, 12);
    assertThat(scripted.events())
        .last()
        .asString()
        .startsWith("after repetition " + last + " of 20: not settled: get at fsync=off: ")
        .containsPattern(
            "set aside: at this noise about \\d{2,3} repetitions would settle it, and at-most is 20\\)$");
    assertThat(OpenComparison.of(results.read())).hasSize(1);

    scripted.executed().clear();
    scripted.continuing(results);
    scripted.resume(results);
    assertThat(scripted.executed()).as("the same looks").isEmpty();

    scripted.continuing(results, 60);
    scripted.resume(results);
    assertThat(scripted.executed()).as("what is over stays as it is").isNotEmpty();
    assertThat(scripted.executed())
        .allMatch(id -> Integer.parseInt(id.replaceFirst(".*\\.r", "")) > last);
    assertThat(results.read().manifest().adaptive().orElseThrow().stopped()).containsExactly(last);
  }

  @Test
  void runsBeyondTheBudgetAreOutOfReach() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 3, at-most: 20, until: separated}\nbudget: 150s")
        .throughput(AdaptiveRepetitionsTest::wild)
        .seconds(10);

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed()).as("of 15 for which there is time").hasSizeLessThan(15);
    assertThat(results.manifest().adaptive().orElseThrow().ended()).isEmpty();
    assertThat(OpenComparison.of(results))
        .singleElement()
        .asString()
        .contains(
            "set aside: at this noise about ", " would settle it, and the budget allows about ");
  }

  /** Nothing was repeated where there was no time for all. */
  @Test
  void shortTimeGoesToTheFirstNamedComparisons() throws Exception {
    scripted.threeEngines(
        "repetitions: {at-least: 3, at-most: 9, until: separated, compare: [[redis, other],"
            + " best]}\nbudget: 115s");
    List<String> engines = List.of("rocksdb", "other", "redis");
    scripted
        .throughput(
            run -> {
              int engine = engines.indexOf(run.engine().label());
              double noise = 0.017 * ((engine + run.key().repetition()) % 3 - 1);
              return 2_000 * Math.pow(0.95, engine) * (1 + noise);
            })
        .seconds(10);

    scripted.execute();

    assertThat(scripted.executed(4)).as("%s", scripted.events()).containsExactly("other", "redis");
    assertThat(scripted.events())
        .anyMatch(said -> said.contains("25 s of the budget left, not enough for all: "));
    assertThat(scripted.events()).last().asString().contains("and no more fit into the budget");
  }

  @Test
  void anEngineThatFailsTwiceInARowIsNotRepeated() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 4, at-most: 9, until: separated}")
        .throughput(ScriptedExecution::oneFarBehind);
    for (int repetition = 4; repetition <= 9; repetition++) {
      scripted.outcome("other.r" + repetition, FAILED);
    }

    scripted.execute();

    assertThat(scripted.executed(5)).containsExactly("other", "rocksdb");
    assertThat(scripted.executed(6)).isEmpty();
    assertThat(scripted.events())
        .last()
        .asString()
        .contains("other and rocksdb (")
        .contains("failed twice in a row)");
  }

  @Test
  void afterTheMostRepetitionsThereAreNoMore() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 3, at-most: 4, until: {interval: 0.1%}}")
        .throughput(ScriptedExecution::oneFarBehind);

    scripted.execute();

    assertThat(scripted.executed(4)).contains("other");
    assertThat(scripted.executed(5)).isEmpty();
    assertThat(scripted.events())
        .last()
        .asString()
        .startsWith("after repetition 4 of 4, and at-most allows no more: not settled: get at ");
  }

  /** It said that there was nothing to compare. */
  @Test
  void anIntervalMayBeNarrowEnoughAtOnce() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 3, at-most: 9, until: {interval: 50%}}", "redis")
        .throughput(ScriptedExecution::oneFarBehind);

    scripted.execute();

    wording.check(lastEvent());
  }

  @Test
  void oneEngineHasNothingToBeComparedWith() throws Exception {
    scripted
        .threeEngines("repetitions: {at-least: 3, at-most: 9, until: separated}", "redis")
        .throughput(ScriptedExecution::oneFarBehind);

    scripted.execute();

    wording.check(lastEvent());
  }
}
