package kvrank.run;

import static kvrank.run.ScriptedExecution.COMPLETED;
import static kvrank.run.ScriptedExecution.NOT_PULLED;
import static kvrank.run.ScriptedExecution.levelOfSeparation;
import static kvrank.run.ScriptedExecution.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import kvrank.failure.Cause;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.UnreadableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executions that are resumed or get more repetitions. */
class ContinuationTest {

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  private void assertResumeRefused(ResultsDirectory results, Path file) {
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "test"))
        .withMessageStartingWith(file.toString());
  }

  @Test
  void anEngineThatIsInstalledMeanwhileIsMeasuredByResume() throws Exception {
    scripted.unavailable("redis", NOT_PULLED);
    ResultsDirectory results = scripted.execute();
    assertThat(outcomes(results.read(), "redis")).hasOnlyElementsOfType(Outcome.Unavailable.class);
    scripted.allAvailable();

    scripted.resume(results);

    assertThat(outcomes(results.read(), "redis")).hasSize(2).containsOnly(COMPLETED);
  }

  @Test
  void resumeKeepsTheOrderOfRuns() throws Exception {
    ResultsDirectory results = scripted.execute();

    assertThat(results.read().manifest().orderSeed()).hasValue(ScriptedExecution.ORDER_SEED);
    assertThat(scripted.continuation(results, "test").ids()).isEqualTo(scripted.ids());
  }

  @ParameterizedTest
  @EnumSource
  void resumeRepeatsFailuresThatAreNotTheEnginesFault(Cause cause) throws Exception {
    String first = scripted.ids().get(0);
    scripted.outcome(first, new Outcome.TimedOut("get", cause, "no operation was answered"));
    ResultsDirectory results = scripted.execute();
    scripted.executed().clear();
    scripted.resume(results);

    List<String> repeated =
        switch (cause) {
          case ENGINE, INPUT -> List.of();
          case MACHINE, HARNESS, OUTSIDER -> List.of(first);
        };
    assertThat(scripted.executed()).isEqualTo(repeated);
  }

  /** The report had no record of it, and resume found it done. */
  @Test
  void resumeRepeatsARunWithTheRecordOfAnother() throws Exception {
    ResultsDirectory results = scripted.execute();
    Path wrong = results.run(scripted.ids().get(1)).record();
    Files.copy(
        results.run(scripted.ids().get(0)).record(), wrong, StandardCopyOption.REPLACE_EXISTING);
    assertThat(results.read().unreadable())
        .containsExactly(
            "%s: belongs to run %s; 'run --resume' repeats this one"
                .formatted(wrong, scripted.ids().get(0)));
    scripted.executed().clear();

    scripted.continuing(results);
    scripted.resume(results);

    assertThat(scripted.executed()).containsExactly(scripted.ids().get(1));
    assertThat(results.read().unreadable()).isEmpty();
  }

  @Test
  void resumeRepeatsARunWithAnEmptyRecord() throws Exception {
    ResultsDirectory results = scripted.execute();
    Files.writeString(results.run(scripted.ids().get(1)).record(), "");
    scripted.executed().clear();

    scripted.continuing(results);
    scripted.resume(results);

    assertThat(scripted.executed()).containsExactly(scripted.ids().get(1));
    assertThat(results.read().unreadable()).isEmpty();
  }

  @Test
  void resumeRefusesResultsOfANewerKvrank() throws Exception {
    ResultsDirectory results = scripted.execute();
    Path record = results.run(scripted.ids().get(1)).record();
    String newer =
        Files.readString(record).replaceFirst("\"schema\" : \"2[.]", "\"schema\" : \"3.");
    Files.writeString(record, newer);

    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "test"))
        .withMessage(
            "%s: schema 3.0 is newer than this kvrank reads (2.0); use a newer kvrank", record);
    assertThat(record).hasContent(newer);
  }

  @Test
  void resumeRefusesAnotherScenarioAndNamesTheDifference() throws Exception {
    ResultsDirectory results = scripted.execute();
    Path scenario = results.scenarioFile();
    String text = Files.readString(scenario);

    Files.writeString(scenario, text.replace("repetitions: 2", "repetitions: 3"));
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "test"))
        .withMessageContaining("repetitions was 2, is 3; start a new execution");

    Files.writeString(scenario, text + "# changed\n");
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "test"))
        .withMessageContaining("has changed since this execution began");
  }

  /** Messages about a scenario quote it, and a stranger's results may have a link there. */
  @Test
  void resumeReadsNoScenarioBehindALink() throws Exception {
    ResultsDirectory results = scripted.execute();
    Path secret = Files.writeString(results.path().resolveSibling("secret"), "token: s3cret\n");
    Files.delete(results.scenarioFile());
    Files.createSymbolicLink(results.scenarioFile(), secret);

    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "test"))
        .withMessageContaining("it is a link, which is not followed")
        .withMessageNotContaining("s3cret");
  }

  /** Two of them with --force removed each other's runs. */
  @Test
  void resumeRefusesRunsOfAnotherExecution() throws Exception {
    ResultsDirectory results = scripted.execute();
    try (Closeable other = MachineLock.ofResults(results.path())) {
      assertThat(other).isNotNull();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> scripted.resume(results))
          .withMessageContaining(results.path() + ": another kvrank is executing its runs");
    }
    scripted.resume(results);
  }

  @Test
  void resumeRefusesAnotherKvrank() throws Exception {
    ResultsDirectory results = scripted.execute();
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "9.9"))
        .withMessageContaining("kvrank was test, is 9.9");
  }

  /** The execution had runs of both, and the name of the first. */
  @Test
  void resumeRefusesAnotherCommit() throws Exception {
    String commit = "1245cf01".repeat(5);
    scripted.commit(commit);
    ResultsDirectory results = scripted.execute();
    scripted.commit("3907b1ee".repeat(5));
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.resume(results))
        .withMessageContaining("the commit of kvrank was " + commit + ", is 3907b1ee3907b1ee");
    // What changes beside the commit is unknown, such as a page of the docs.
    scripted.commit(commit + "-dirty");
    scripted.resume(results);
  }

  @Test
  void repetitionsAreAddedToAnExecutionThatHasEnded() throws Exception {
    scripted.threeEngines("repetitions: 3").throughput(ScriptedExecution::oneFarBehind);
    ResultsDirectory results = scripted.execute();
    List<String> first = scripted.ids();
    assertThat(levelOfSeparation(results)).isEqualTo(0.04, within(1e-9));

    scripted.executed().clear();
    scripted.continuing(results, 5);
    assertThat(scripted.ids()).startsWith(first.toArray(String[]::new));
    scripted.resume(results);

    assertThat(scripted.executed())
        .isEqualTo(scripted.ids().subList(first.size(), scripted.ids().size()));
    assertThat(results.read().runs()).hasSize(5 * first.size() / 3);
    assertThat(results.read().manifest().extended()).containsExactly(3);
    assertThat(levelOfSeparation(results)).as("each look is paid for").isLessThan(0.01);
    scripted.continuing(results);
    assertThat(scripted.ids()).isEqualTo(results.read().manifest().runs());
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.continuation(results, "test", 5))
        .withMessageContaining("has 5 repetitions; give more");
  }

  @Test
  void resumeRefusesAnotherMachine() throws Exception {
    ResultsDirectory results = scripted.execute();
    Path environment = results.path().resolve("environment.json");
    Files.writeString(
        environment,
        Files.readString(environment)
            .replaceFirst("\"cpu.cores\" : \"\\d+\"", "\"cpu.cores\" : \"4000\""));

    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.resume(results))
        .withMessageContaining("cpu.cores was 4000, is");
  }

  @Test
  void resumeRefusesResultsWithoutAScenarioDigest() throws Exception {
    ResultsDirectory results = scripted.execute();
    Path environment = results.path().resolve("environment.json");
    String text = Files.readString(environment);
    List<String> broken =
        List.of(
            "",
            text.substring(0, text.length() / 2),
            "{\"schema\": \"2.0\", \"facts\": {}}",
            "{\"schema\": \"2.0\", \"facts\": null}",
            "{\"schema\": \"2.0\"}");
    for (String each : broken) {
      Files.writeString(environment, each);
      assertResumeRefused(results, environment);
    }
    Files.delete(environment);
    assertResumeRefused(results, environment);
    Files.createDirectory(environment);
    assertResumeRefused(results, environment);

    Files.delete(environment);
    Files.writeString(environment, text.replaceFirst("\"cpu.cores\" : \"\\d+\",", ""));
    assertThatExceptionOfType(UnreadableException.class)
        .isThrownBy(() -> scripted.resume(results))
        .withMessageContaining("cpu.cores was unknown, is");
  }
}
