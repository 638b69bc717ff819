package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWaitsTest {

  private static final long KERNEL_THREAD = 0x208040;

  @TempDir private Path proc;

  @Test
  void onlyProcessesOfOthersCount() throws IOException {
    process(1, 0, 0, "S", "S");
    process(2, 0, KERNEL_THREAD, "S", "S");
    process(20, 2, KERNEL_THREAD, "D", "D");
    process(100, 1, 0, "S", "S");
    process(101, 100, 0, "D", "D");
    process(102, 101, 0, "S", "D");
    Files.createDirectory(proc.resolve("sys"));
    Files.createDirectory(proc.resolve("103")); // has just ended
    assertThat(othersWait()).isFalse();

    process(200, 1, 0, "S", "S");
    assertThat(othersWait()).isFalse();
    process(201, 200, 0, "D", "D");
    assertThat(othersWait()).isTrue();
    process(201, 200, 0, "S", "D");
    assertThat(othersWait()).as("a thread").isTrue();
    process(201, 100, 0, "S", "D");
    assertThat(othersWait()).isFalse();
  }

  private boolean othersWait() {
    return new DiskWaits(proc, Set.of(100L)).othersWait();
  }

  /** Writes a process with two threads. */
  private void process(long pid, long parent, long flags, String state, String second)
      throws IOException {
    Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
    write(folder, pid, state, parent, flags);
    write(folder.resolve("task/" + pid), pid, state, parent, flags);
    write(folder.resolve("task/" + (pid + 1000)), pid, second, parent, flags);
  }

  private static void write(Path folder, long pid, String state, long parent, long flags)
      throws IOException {
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("stat"),
        "%d (a (D) b) %s %d 1 1 0 -1 %d 0 0 0 0 0 0 0 0 20 0 2 0 7"
            .formatted(pid, state, parent, flags));
  }
}
