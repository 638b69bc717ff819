package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CommandOutputTest {

  private static Optional<CommandOutput> of(String script, Duration limit) throws Exception {
    return CommandOutput.of(new ProcessBuilder("sh", "-c", script), limit);
  }

  private static Optional<CommandOutput> of(String script) throws Exception {
    return of(script, Duration.ofMinutes(5));
  }

  @Test
  void whatACommandPrintsAndItsStatus() throws Exception {
    assertThat(of("cat; echo out; echo err >&2; exit 3"))
        .contains(new CommandOutput(3, "out\nerr\n"));
  }

  @Test
  void aCommandMayPrintMoreThanAPipeHolds() throws Exception {
    assertThat(of("head -c 300000 /dev/zero | tr '\\0' x; exit 3"))
        .contains(new CommandOutput(3, "x".repeat(1 << 16)));
  }

  @Test
  void aProcessThatItLeavesBehindIsNotAwaited() throws Exception {
    assertThat(of("echo said; sleep 100 & echo $!"))
        .hasValueSatisfying(
            output -> {
              assertThat(output.text()).startsWith("said\n");
              long left = Long.parseLong(output.text().lines().skip(1).findFirst().orElseThrow());
              assertThat(ProcessHandle.of(left).orElseThrow().destroy()).isTrue();
            });
  }

  @Test
  void aCommandThatTakesTooLongIsKilled() throws Exception {
    assertThat(of("exec sleep 100", Duration.ofMillis(50))).isEmpty();
  }
}
