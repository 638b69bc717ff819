package kvrank.provision.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
}
