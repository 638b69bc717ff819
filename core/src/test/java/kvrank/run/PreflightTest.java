package kvrank.run;

import static kvrank.run.ScriptedExecution.COMPLETED;
import static kvrank.run.ScriptedExecution.NOT_PULLED;
import static kvrank.run.ScriptedExecution.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import kvrank.engine.ProvisionMethod;
import kvrank.fact.Facts;
import kvrank.provision.MethodStatus;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines that are missing when an execution begins. */
class PreflightTest {

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  @Test
  void aFailedPullMakesOnlyItsEngineUnavailable() throws Exception {
    scripted.unavailable("redis", NOT_PULLED);

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.events()).contains("redis: " + NOT_PULLED.detail(), "missing: [redis]");
    assertThat(outcomes(results, "rocksdb")).containsOnly(COMPLETED);
    assertThat(outcomes(results, "redis"))
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOf(Outcome.Unavailable.class)
                    .extracting(Outcome::reason)
                    .asString()
                    .contains("could not be pulled", "To get it: apt-get install"));
  }

  /** Each of its repetitions was counted, unlike in the plan. */
  @Test
  void runsOfAMissingEngineAreNotCounted() throws Exception {
    scripted.unavailable("redis", NOT_PULLED);

    scripted.execute();

    assertThat(scripted.numbers())
        .containsSubsequence("rocksdb.r1 1/2", "rocksdb.r2 2/2")
        .noneMatch(number -> number.endsWith("/4"));
  }

  @Test
  void nothingStartsIfAnEngineIsMissingAndAllAreRequired() {
    scripted.unavailable("redis", NOT_PULLED);

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(
            () -> scripted.execution().execute(scripted.results(), "test", true, new Facts()))
        .withMessage("--require-all: redis is not available here; nothing was started")
        .matches(e -> !e.nothingLeft());
    assertThat(scripted.results()).doesNotExist();
  }

  @Test
  void nothingStartsIfPowerCutsAreImpossibleAndAllIsRequired() throws Exception {
    scripted
        .scenario(
            "cuts.yaml",
            """
            question: What is lost?
            engines: [redis]
            fsync: on
            phases: [load]
            verify: power-cut
            """)
        .noPowerCut("/dev/fuse is missing");

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(
            () -> scripted.execution().execute(scripted.results(), "test", true, new Facts()))
        .withMessage(
            "--require-all: no power cut is possible here: /dev/fuse is missing; nothing was"
                + " started")
        .matches(e -> !e.nothingLeft());
    assertThat(scripted.results()).doesNotExist();
    scripted.execution().execute(scripted.results(), "test", false, new Facts());
  }

  @Test
  void nothingStartsIfNoEngineIsAvailable() {
    scripted
        .unavailable("redis", NOT_PULLED)
        .unavailable(
            "rocksdb",
            new MethodStatus(ProvisionMethod.EMBEDDED, MethodStatus.State.MISSING, "no library"));

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(scripted::execute)
        .matches(UnavailableException::nothingLeft);
    assertThat(scripted.events())
        .containsExactlyInAnyOrder("redis: " + NOT_PULLED.detail(), "rocksdb: no library");
    assertThat(scripted.results()).doesNotExist();
  }
}
