package kvrank.provision.host;

import static kvrank.provision.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PidNamespaceTest {

  @BeforeEach
  void requireRoot() {
    assumeTrue(PidNamespace.problem().isEmpty(), () -> PidNamespace.problem().orElseThrow());
  }

  private static Process start(String script) throws IOException {
    List<String> command = PidNamespace.entry(true);
    command.addAll(List.of("sh", "-c", script));
    return new ProcessBuilder(command).inheritIO().start();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 143})
  void theStatusOfTheCommandRemains(int status) throws Exception {
    assertThat(PidNamespace.status(start("exit " + status).waitFor())).isEqualTo(status);
  }

  @Test
  void theEndOfTheFirstProcessIsAKill() throws Exception {
    Process namespace = start("sleep 60");
    eventually("the command runs", () -> PidNamespace.command(namespace).isPresent());
    namespace.children().forEach(ProcessHandle::destroyForcibly);
    assertThat(PidNamespace.status(namespace.waitFor())).isEqualTo(137);
  }
}
