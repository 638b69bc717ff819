package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitStatusTest {

  @Test
  void tellsASignalFromAStatus() {
    assertThat(ExitStatus.describe(0)).isEqualTo("exited with status 0");
    assertThat(ExitStatus.describe(1)).isEqualTo("exited with status 1");
    assertThat(ExitStatus.describe(137)).isEqualTo("was killed by SIGKILL (exit status 137)");
    assertThat(ExitStatus.describe(139)).isEqualTo("was killed by SIGSEGV (exit status 139)");
    assertThat(ExitStatus.describe(255)).isEqualTo("exited with status 255");
  }
}
