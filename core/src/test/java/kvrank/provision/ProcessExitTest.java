package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessExitTest {

  @Test
  void tellsASignalFromAStatus() {
    assertThat(ProcessExit.describe(0)).isEqualTo("exited with status 0");
    assertThat(ProcessExit.describe(1)).isEqualTo("exited with status 1");
    assertThat(ProcessExit.describe(137)).isEqualTo("was killed by SIGKILL (exit status 137)");
    assertThat(ProcessExit.describe(139)).isEqualTo("was killed by SIGSEGV (exit status 139)");
    assertThat(ProcessExit.describe(255)).isEqualTo("exited with status 255");
  }
}
