package kvrank.provision.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import kvrank.OneAtATime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReaperTest {

  @TempDir Path folder;

  private static Set<ProcessHandle> children() {
    return ProcessHandle.current().children().collect(Collectors.toSet());
  }

  /** It killed the server of the next execution in this process. */
  @Test
  void aGuardThatIsClosedSparesOtherChildren() throws Exception {
    Process other = Children.builder(List.of("sleep", "1000"), Children.mark()).start();
    try {
      Set<ProcessHandle> before = children();
      Leftovers.Journal journal = new Leftovers.Journal(folder);
      Reaper reaper = new Reaper(new Executables(System.getenv()), journal);
      reaper.register(Reaper.Kind.FOLDER, Files.createDirectory(folder.resolve("data")).toString());
      Set<ProcessHandle> guard = children();
      guard.removeAll(before);
      assertThat(guard).hasSize(1);
      reaper.close();
      guard.iterator().next().onExit().join();
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  @OneAtATime(OneAtATime.LEFTOVERS)
  void theGuardOfAKilledKvrankSparesProcessesOfOthersWithItsMark() throws Exception {
    String owner = "999999999-1.8bc35e65";
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root can start a process as another user");
    Process ours = waiting(owner, List.of());
    Process others =
        waiting(
            owner, List.of("setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups"));
    try (InputStream script = Reaper.class.getResourceAsStream("guard.sh")) {
      String text = new String(script.readAllBytes(), UTF_8);
      Process guard = new ProcessBuilder("sh", "-c", text, "kvrank-guard", owner).start();
      guard.getOutputStream().close();
      assertThat(guard.waitFor()).isZero();
      assertThat(ours.waitFor(5, TimeUnit.MINUTES)).as("it has ended").isTrue();
      assertThat(ours.exitValue()).isEqualTo(128 + 9);
      assertThat(others.isAlive()).isTrue();
    } finally {
      ours.destroyForcibly().waitFor();
      others.destroyForcibly().waitFor();
    }
  }

  /** Starts a process that waits for its input, and waits until it does. */
  private static Process waiting(String owner, List<String> user) throws IOException {
    List<String> command = new ArrayList<>(user);
    // Another program instead of the shell would have no environment for a moment.
    command.addAll(List.of("sh", "-c", "echo; read -r never"));
    Process process = Children.builder(command, owner + ":1").start();
    assertThat(process.getInputStream().read()).as("it runs").isEqualTo('\n');
    return process;
  }
}
