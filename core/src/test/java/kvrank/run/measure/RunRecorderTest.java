package kvrank.run.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.plan.Planner;
import kvrank.plan.RunSpec;
import kvrank.results.CrashTrialResult;
import kvrank.results.Outcome;
import kvrank.results.RunRecord;
import kvrank.scenario.read.ScenarioReader;
import kvrank.scenario.read.TestHome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRecorderTest {

  private final ScenarioReader reader;
  private final Path file;

  RunRecorderTest(@TempDir Path folder) throws IOException {
    reader = new ScenarioReader(TestHome.in(folder.resolve("home")));
    file = folder.resolve("one.yaml");
  }

  /** Otherwise, a report would not know that power was to be cut. */
  @Test
  void aRunThatFailsBeforeItsPowerCutHasTheReason() throws Exception {
    Outcome failed = new Outcome.Failed("load", Cause.ENGINE, "it ran out of space");
    assertThat(crashTest("verify: power-cut", failed))
        .hasValue(
            new CrashTrialResult(
                true, List.of(), "failed before it: in phase load: it ran out of space"));
    assertThat(crashTest("verify: none", failed)).isEmpty();
    assertThat(crashTest("verify: power-cut", new Outcome.Unavailable("it is missing"))).isEmpty();
  }

  /** Otherwise, results could not say what an engine is without kvrank's files. */
  @Test
  void aRunHasTheDescriptionAndTheLanguageOfItsEngine() throws Exception {
    Files.writeString(file, "question: Which one?\nengines: [redis]\nfsync: on\nphases: [set]\n");
    RunSpec run = Planner.plan(reader.read(file, List.of(), List.of())).runs().get(0);
    Facts facts =
        new RunRecorder(run, Instant.now()).end(new Outcome.Unavailable("missing")).facts();
    assertThat(facts.text(Fact.DESCRIPTION)).startsWith("Redis, a data structure server");
    assertThat(facts.text(Fact.LANGUAGE)).isEqualTo("C");
  }

  @Test
  void partsAddUpToTheTimeOfTheRun() throws Exception {
    RunRecorder recorder = recorder("verify: none");
    List<Fact> parts =
        List.of(
            Fact.TIME_SERVER_SECONDS,
            Fact.TIME_WORKER_SECONDS,
            Fact.TIME_BETWEEN_SECONDS,
            Fact.TIME_PHASES_SECONDS,
            Fact.TIME_BETWEEN_SECONDS);
    for (Fact part : parts) {
      Thread.sleep(5);
      recorder.lap(part);
    }
    RunRecord run = recorder.end(new Outcome.Completed());
    assertThat(run.facts().number(Fact.TIME_BETWEEN_SECONDS)).isGreaterThanOrEqualTo(0.01);
    double sum =
        Stream.concat(parts.stream().distinct(), Stream.of(Fact.TIME_STOP_SECONDS))
            .mapToDouble(run.facts()::number)
            .sum();
    assertThat(sum).isCloseTo(run.time().toNanos() / 1e9, within(0.005)); // of rounding
    assertThat(recorder("verify: none").end(new Outcome.Unavailable("it is missing")).facts())
        .matches(facts -> !facts.has(Fact.TIME_STOP_SECONDS));
  }

  private Optional<CrashTrialResult> crashTest(String verify, Outcome outcome) throws Exception {
    return recorder(verify).end(outcome).crashTest();
  }

  private RunRecorder recorder(String verify) throws Exception {
    Files.writeString(
        file, "question: Which one?\nengines: [redis]\nfsync: on\nphases: [set]\n" + verify);
    RunSpec run = Planner.plan(reader.read(file, List.of(), List.of())).runs().get(0);
    return new RunRecorder(run, Instant.now());
  }
}
