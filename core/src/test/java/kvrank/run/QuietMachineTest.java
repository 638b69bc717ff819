package kvrank.run;

import static kvrank.run.ScriptedExecution.COMPLETED;
import static kvrank.run.ScriptedExecution.FAILED;
import static kvrank.run.ScriptedExecution.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import kvrank.Wording;
import kvrank.failure.Cause;
import kvrank.machine.BackgroundLoad;
import kvrank.machine.QuietLook;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that others on the machine disturb. */
class QuietMachineTest {

  @RegisterExtension final Wording wording = new Wording();

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  private static QuietLook busy(double others) {
    return new QuietLook(new BackgroundLoad.Shares(others, 0), Optional.of("make (pid 17)"));
  }

  @Test
  void waitsForAQuietMachineAndRepeatsDisturbedRuns() throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .othersUse(
            run ->
                run.equals("other.r2") && Collections.frequency(scripted.executed(), run) == 1
                    ? 0.6
                    : 0.05)
        .seconds(4);

    ResultsDirectory results = scripted.execute();

    int first = scripted.executed().indexOf("other.r2");
    assertThat(scripted.executed().subList(first, first + 2)).containsOnly("other.r2");
    assertThat(scripted.executed()).hasSize(10);
    wording.check(scripted.events("others used"));
    RunRecord again = results.run("other.r2").read();
    assertThat(again.facts().asMap())
        .containsEntry("others.lostSeconds", "4.0")
        .containsEntry("others.disturbed.1", "others used 60 % of the machine in get");
    assertThat(results.run("other.r2").disturbed(1).read().phases().get(0).facts().asMap())
        .containsEntry("others.cpuShare", "0.6");
    assertThat(results.read().runs()).as("what was disturbed is not ranked").hasSize(9);
  }

  /** Others cannot disturb the figure of what the engine lost. */
  @Test
  void whatADisturbedRunLostCounts() throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .othersUse(run -> scripted.attempts("other.r2") == 1 && run.equals("other.r2") ? 0.6 : 0.05)
        .crashes(run -> run.equals("other.r2") && scripted.attempts(run) == 1 ? 40 : 0)
        .seconds(4);

    ResultsDirectory results = scripted.execute();

    assertThat(scripted.attempts("other.r2")).isEqualTo(2);
    assertThat(lost(results, "other.r2")).containsExactly(40L, 0L);
    assertThat(lost(results, "other.r1")).containsExactly(0L);
  }

  @Test
  void whatAnAttemptLostThatIsRepeatedByResumeCounts() throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .crashes(run -> run.equals("other.r2") && scripted.attempts(run) == 1 ? 40 : 0)
        .outcome("other.r2", new Outcome.Failed("", Cause.MACHINE, "power cut 2: the disk failed"))
        .seconds(4);
    ResultsDirectory results = scripted.execute();
    scripted.resume(results);
    scripted.outcome("other.r2", COMPLETED);
    scripted.resume(results);

    assertThat(scripted.attempts("other.r2")).isEqualTo(3);
    assertThat(lost(results, "other.r2")).containsExactly(40L, 0L, 0L);
  }

  private static List<Long> lost(ResultsDirectory results, String run) throws Exception {
    return results.run(run).read().crashTest().orElseThrow().crashes().stream()
        .map(crash -> crash.lostWrites().orElseThrow().lost())
        .toList();
  }

  @Test
  void waitsWhilePatienceLasts() throws Exception {
    scripted
        .threeEngines("repetitions: 3\npatience: 3s")
        .throughput(ScriptedExecution::oneFarBehind)
        .othersUse(run -> 0.6)
        .seconds(1)
        .looks(Collections.nCopies(2, busy(0.4)))
        .looks(List.of(busy(0.05)))
        .looks(Collections.nCopies(99, busy(0.5)));

    scripted.execute();

    // A second less where this machine was quiet, so that the first run began at once.
    assertThat(scripted.events("others use ").get(0))
        .matches(
            "others use 40 % of the machine, most of it make \\(pid 17\\); waiting up to [23] s"
                + " until it is below 10 % \\(--no-wait skips this\\)");
    assertThat(scripted.events())
        .contains("quiet after 1 s", "not quiet after 1 s; measuring anyway");
    assertThat(scripted.executed()).as("one run more, and then there was no time").hasSize(10);
    assertThat(scripted.looksLeft()).as("4 of them were used").hasSize(97);
  }

  @Test
  void doesNotWaitWithoutPatience() throws Exception {
    scripted
        .threeEngines("repetitions: 3\npatience: 0s")
        .throughput(ScriptedExecution::oneFarBehind)
        .othersUse(run -> 0.6)
        .looks(List.of(busy(0.5)));

    scripted.execute();

    assertThat(scripted.executed()).hasSize(9);
    assertThat(scripted.looksLeft()).hasSize(1);
  }

  @Test
  void waitingIsWithinTheBudget() throws Exception {
    scripted
        .threeEngines(
            "repetitions: {at-least: 3, at-most: 9, until: {interval: 0.1%}}\nbudget: 103s")
        .throughput(ScriptedExecution::oneFarBehind)
        .seconds(7) // 9 runs take 63 s, and a quarter of the rest may be lost
        .othersUse(run -> 0.6)
        .looks(Collections.nCopies(99, busy(0.5)));

    ResultsDirectory results = scripted.execute();

    assertThat(scripted.executed()).hasSizeBetween(12, 14);
    double lost = results.read().runs().stream().mapToDouble(RunRecord::lostSeconds).sum();
    assertThat(lost).isBetween(7.0, 10.0);
  }

  @Test
  void repetitionsDoNotDependOnMeasurements() throws Exception {
    List<List<String>> orders = new ArrayList<>();
    for (double speed : List.of(1.0, 0.1, 10.0)) {
      scripted.threeEngines("repetitions: 3");
      scripted.executed().clear();
      scripted
          .throughput(run -> speed * run.key().repetition() * 100)
          .othersUse(run -> run.hashCode() % 3 == 0 ? 0.5 : 0.05);
      scripted.execute();
      orders.add(List.copyOf(scripted.executed()));
    }
    assertThat(orders.get(0))
        .hasSizeGreaterThan(9)
        .isEqualTo(orders.get(1))
        .isEqualTo(orders.get(2));
  }

  @Test
  void aFailureStaysOnABusyMachine() throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .othersUse(run -> run.equals("other.r2") ? 0.6 : 0.05)
        .outcome("other.r2", FAILED);

    ExecutionResults results = scripted.execute().read();

    assertThat(scripted.executed()).hasSize(9);
    assertThat(outcomes(results, "other")).containsExactly(COMPLETED, FAILED, COMPLETED);
  }

  @Test
  void aSuspendedRunIsRepeated() throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .outcome(
            "other.r2",
            new Outcome.Failed(
                "get", Cause.MACHINE, "kvrank's worker stood still for 6.0 s of 8.0 s"))
        .standingStill("other.r2")
        .seconds(4)
        .duringRuns(
            () -> {
              if (Collections.frequency(scripted.executed(), "other.r2") == 2) {
                scripted.outcome("other.r2", COMPLETED).standingStill();
              }
            });

    ExecutionResults results = scripted.execute().read();

    assertThat(Collections.frequency(scripted.executed(), "other.r2")).isEqualTo(2);
    assertThat(outcomes(results, "other")).containsOnly(COMPLETED);
    wording.check(scripted.events("repeating the run"));
  }

  /** They may be a server's own, in an answer about something else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Disk quota exceeded",
        "No space left on device",
        "Too many open files",
        "Cannot allocate memory",
        "Killed",
        "kvrank's worker stood still for 6.0 s of 8.0 s",
        "redis was killed by SIGKILL (exit status 137). "
      })
  void theTextOfAFailureDecidesNothing(String words) throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .seconds(4)
        .outcome("other.r2", new Outcome.Failed("get", Cause.ENGINE, "update ERROR x9: " + words));

    ResultsDirectory results = scripted.execute();
    assertThat(scripted.executed()).as("no run is repeated for a standstill").hasSize(9);
    scripted.executed().clear();
    scripted.resume(results);

    assertThat(scripted.executed()).as("no run is repeated by resume").isEmpty();
  }

  @Test
  void aResumedExecutionCountsEarlierDisturbances() throws Exception {
    scripted
        .threeEngines("repetitions: 3")
        .throughput(ScriptedExecution::oneFarBehind)
        .othersUse(run -> run.equals("other.r2") ? 0.6 : 0.05)
        .seconds(4);
    scripted.execute();
    List<String> whole = List.copyOf(scripted.executed());
    assertThat(whole).hasSize(11);
    scripted.executed().clear();

    Execution interrupted = scripted.execution();
    scripted.duringRuns(
        () -> {
          if (scripted.executed(2).stream().filter("other"::equals).count() == 2) {
            interrupted.abort();
          }
        });
    ResultsDirectory results = scripted.execute(interrupted);
    assertThat(results.run("other.r2").complete()).isFalse();
    assertThat(results.run("other.r2").disturbed(1).complete()).isTrue();
    scripted.executed().remove(scripted.executed().size() - 1);
    scripted.duringRuns(() -> {}).continuing(results);
    scripted.resume(results);

    assertThat(scripted.executed()).isEqualTo(whole);
    assertThat(results.run("other.r2").read().facts().asMap())
        .containsKeys("others.disturbed.1", "others.disturbed.2")
        .containsEntry("others.lostSeconds", "8.0");
  }
}
