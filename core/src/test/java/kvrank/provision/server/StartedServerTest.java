package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartedServerTest {

  @ParameterizedTest
  @CsvSource({
    "0, exited with status 0",
    "1, exited with status 1",
    "137, was killed by SIGKILL (exit status 137)",
    "139, was killed by SIGSEGV (exit status 139)",
    "255, exited with status 255"
  })
  void tellsASignalFromAStatus(int status, String ending) {
    assertThat(StartedServer.ending(status)).isEqualTo(ending);
  }
}
