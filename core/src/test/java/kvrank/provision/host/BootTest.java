package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootTest {

  @TempDir private Path folder;

  /** It could read which records are expected, or change the number of acknowledged writes. */
  @Test
  void aServerThatIsOnlyKilledDoesNotFindTheAckCountersEither() throws Exception {
    assumeTrue(PidNamespace.problem().isEmpty(), () -> PidNamespace.problem().orElseThrow());
    Path ledger = Files.writeString(folder.resolve("ledger"), "1");
    List<String> command = Boot.server(Optional.empty(), Optional.of(folder));
    command.addAll(List.of("sh", "-c", "ls -A \"$1\"; echo end; exit 3", "sh", folder.toString()));
    Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(new String(server.getInputStream().readAllBytes(), UTF_8)).isEqualTo("end\n");
    assertThat(PidNamespace.status(server.waitFor())).isEqualTo(3);
    assertThat(ledger).hasContent("1");
  }
}
