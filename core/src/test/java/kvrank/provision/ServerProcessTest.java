package kvrank.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerProcessTest {

  @Test
  void tellsASignalFromAStatus() {
    assertThat(ServerProcess.ending(0)).isEqualTo("exited with status 0");
    assertThat(ServerProcess.ending(1)).isEqualTo("exited with status 1");
    assertThat(ServerProcess.ending(137)).isEqualTo("was killed by SIGKILL (exit status 137)");
    assertThat(ServerProcess.ending(139)).isEqualTo("was killed by SIGSEGV (exit status 139)");
    assertThat(ServerProcess.ending(255)).isEqualTo("exited with status 255");
  }
}
