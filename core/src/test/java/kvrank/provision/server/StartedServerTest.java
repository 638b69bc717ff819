package kvrank.provision.server;

import static org.assertj.core.api.Assertions.assertThat;

import kvrank.failure.Cause;
import kvrank.failure.Ending;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartedServerTest {

  @ParameterizedTest
  @CsvSource({
    "0, OUTSIDER, exited with status 0",
    "1, ENGINE, exited with status 1",
    "137, OUTSIDER, was killed by SIGKILL (exit status 137)",
    "139, ENGINE, was killed by SIGSEGV (exit status 139)",
    "255, ENGINE, exited with status 255"
  })
  void distinguishesSignalsFromStatuses(int status, Cause cause, String text) {
    assertThat(StartedServer.ending(status)).isEqualTo(new Ending(status, cause, text));
  }
}
