package kvrank.run;

import static kvrank.run.ScriptedExecution.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import kvrank.metric.Expectation;
import kvrank.plan.Plan;
import kvrank.results.ExecutionResults;
import kvrank.results.ResultsDirectory;
import kvrank.results.Tuned;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search for values of options before the repetitions. */
class OptionTuningTest {

  private static final String NO_TIME = "no time was left of the budget";

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  /** One engine of which an option is tuned, on a grid of the powers of two. */
  private void tunedEngine(String repetitions) throws Exception {
    scripted.scenario(
        "tuned.yaml",
        """
        question: Which value?
        engines: [{engine: redis, tune: {option: hz, from: 1, to: 64Ki, maximise: throughput}}, rocksdb]
        fsync: off
        records: 1000
        phases: [get]
        measure: {warmup: 0s, duration: 1s}
        expect: [redis get throughput > 1k]
        """
            + repetitions);
    scripted.throughput(
        run -> {
          int hz = Integer.parseInt(run.key().options().getOrDefault("hz", "1"));
          return 5_000 - 100 * Math.abs(Math.log(hz) / Math.log(2) - 6.4) + run.key().repetition();
        });
  }

  @Test
  void anOptionIsTunedFromCoarseToFineAndTheBestValuesAreRepeated() throws Exception {
    tunedEngine("repetitions: 3");

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed(0))
        .containsExactlyInAnyOrder(
            "redis.hz-1",
            "redis.hz-16",
            "redis.hz-256",
            "redis.hz-4096",
            "redis.hz-65536",
            "redis.hz-64",
            "redis.hz-1024",
            "redis.hz-32",
            "redis.hz-128");
    assertThat(scripted.executed()).hasSize(9 + 3 * 4);
    assertThat(scripted.executed().subList(5, 7))
        .containsExactly("redis.hz-64.r0", "redis.hz-1024.r0");
    assertThat(results.manifest().engines())
        .containsExactly("redis hz=32", "redis hz=64", "redis hz=128", "rocksdb");
    assertThat(results.runs()).as("trials are not ranked").hasSize(12);
    assertThat(results.unreadable()).isEmpty();
    assertThat(results.manifest().expectations())
        .extracting(Expectation::engine)
        .containsExactly("redis hz=32", "redis hz=64", "redis hz=128");
    assertThat(scripted.events())
        .contains("redis hz: 64 has the best throughput of 9 values; its rows are 64, 128, 32");
    Tuned tuned = results.tuned().get(0);
    assertThat(tuned.rows()).containsExactly("64", "128", "32");
    assertThat(tuned.trials().get(0).measured().orElseThrow()).isEqualTo(4_360, within(1e-6));
  }

  @Test
  void anInterruptedSearchIsResumed() throws Exception {
    tunedEngine("repetitions: 3");
    scripted.execute();
    List<String> whole = List.copyOf(scripted.executed());
    Plan placeholders = scripted.plan();
    for (String last : List.of("redis.hz-1.r0", "redis.hz-1024.r0", "redis.hz-64.r1")) {
      scripted.executed().clear();
      scripted.plan(placeholders);
      Execution interrupted = scripted.execution();
      scripted.atStartOf(last, interrupted::abort);
      ResultsDirectory results = scripted.execute(interrupted);
      scripted.atStartOf(last, () -> {});
      assertThat(scripted.executed()).last().isEqualTo(last);
      scripted.executed().remove(scripted.executed().size() - 1);

      scripted.continuing(results);
      scripted.resume(results);

      assertThat(scripted.executed()).isEqualTo(whole);
      assertThat(results.read().runs()).hasSize(12);
    }
  }

  @Test
  void aValueThatFailsIsDroppedWithTheReason() throws Exception {
    tunedEngine("repetitions: 3");
    scripted.outcome("redis.hz-256.r0", FAILED).outcome("redis.hz-64.r0", FAILED);

    Tuned tuned = scripted.execute().read().tuned().get(0);

    assertThat(tuned.rows()).containsExactly("32", "16", "8");
    assertThat(tuned.trials())
        .filteredOn(trial -> trial.measured().isEmpty())
        .extracting(Tuned.Trial::value, Tuned.Trial::dropped)
        .containsExactly(
            tuple("256", "failed: in phase get: the server ended"),
            tuple("64", "failed: in phase get: the server ended"));
  }

  @Test
  void aSearchLeavesTheBudgetToTheRepetitions() throws Exception {
    tunedEngine("repetitions: {at-least: 3, at-most: 9, until: separated}\nbudget: 145s");
    scripted.seconds(10);

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed(0)).containsExactly("redis.hz-1", "redis.hz-16");
    assertThat(results.tuned().get(0).rows()).containsExactly("16", "1");
    assertThat(results.tuned().get(0).trials())
        .extracting(Tuned.Trial::dropped)
        .startsWith("", "", NO_TIME, NO_TIME, NO_TIME);
  }

  @Test
  void aSearchWithoutTimeReportsThatItsRowsAreNotTheBest() throws Exception {
    tunedEngine("repetitions: {at-least: 3, at-most: 9, until: separated}\nbudget: 10s");
    scripted.seconds(10);

    ExecutionResults results = scripted.execute().read();

    assertThat(results.tuned().get(0).trials())
        .extracting(Tuned.Trial::dropped)
        .containsOnly(NO_TIME);
    assertThat(results.tuned().get(0))
        .hasToString(
            "redis hz: no value was measured, so its rows are the first values, not the best");
  }
}
