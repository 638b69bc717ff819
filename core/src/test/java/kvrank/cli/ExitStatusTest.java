package kvrank.cli;

import static org.assertj.core.api.Assertions.assertThat;

import kvrank.report.CrashExamples;
import org.junit.jupiter.api.Test;

class ExitStatusTest {

  @Test
  void aWriteThatTheLevelPromisesToKeepMustNotBeLost() {
    assertThat(RunCommand.status(CrashExamples.cut("on"))).isEqualTo(1);
    assertThat(RunCommand.status(CrashExamples.cut("every-1s"))).as("beyond").isEqualTo(1);
    assertThat(RunCommand.status(CrashExamples.killed())).isEqualTo(1);
    assertThat(RunCommand.status(CrashExamples.cut("off"))).isZero();
  }

  /** The load does not answer the question. */
  @Test
  void aPowerCutTestWithoutAPowerCutTestedNothing() {
    assertThat(RunCommand.status(CrashExamples.impossible("load"))).isEqualTo(3);
    assertThat(RunCommand.status(CrashExamples.impossible("get"))).isZero();
  }
}
