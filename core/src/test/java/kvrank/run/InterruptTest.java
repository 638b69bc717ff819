package kvrank.run;

import static kvrank.run.ScriptedExecution.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import kvrank.results.ResultsDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executions that are interrupted. */
class InterruptTest {

  @TempDir private Path folder;
  private ScriptedExecution scripted;

  @BeforeEach
  void script() throws Exception {
    scripted = new ScriptedExecution(folder);
  }

  @Test
  void anInterruptKeepsFinishedRunsAndResumeAddsTheRest() throws Exception {
    Execution interrupted = scripted.execution();
    scripted.atStartOf(scripted.ids().get(2), interrupted::abort);
    ResultsDirectory results = scripted.execute(interrupted);

    assertThat(results.read().runs()).hasSize(2);
    assertThat(scripted.serversClosed()).as("servers are stopped").isTrue();
    assertThat(scripted.runAborted()).as("the worker is ended").isTrue();

    scripted.executed().clear();
    scripted.events().clear();
    scripted.continuing(results);
    scripted.resume(results);

    assertThat(scripted.executed()).isEqualTo(scripted.ids().subList(2, 4));
    assertThat(scripted.events())
        .contains(scripted.ids().get(0) + " was done", scripted.ids().get(1) + " was done");
    assertThat(results.read().runs()).hasSize(4);
  }

  @Test
  void aRunThatIsInterruptedHasNoRecord() throws Exception {
    Execution interrupted = scripted.execution();
    scripted.duringRuns(interrupted::abort).outcome(scripted.ids().get(0), FAILED);

    ResultsDirectory results = scripted.execute(interrupted);

    assertThat(scripted.executed()).containsExactly(scripted.ids().get(0));
    assertThat(results.read().runs()).isEmpty();
  }
}
