package kvrank.provision;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other processes do, generously. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private Eventually() {}

  public static void eventually(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        fail("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      Thread.sleep(10);
    }
  }

  /**
   * Returns the id outside of a process that has {@code pid} in the pid namespace of a descendant
   * of {@code root}, as it tells there itself.
   */
  public static long outside(ProcessHandle root, long pid) throws IOException {
    for (ProcessHandle each : root.descendants().toList()) {
      Path status = Path.of("/proc/" + each.pid() + "/status");
      try {
        if (Files.readString(status).contains("NSpid:\t%d\t%d\n".formatted(each.pid(), pid))) {
          return each.pid();
        }
      } catch (NoSuchFileException ended) {
        // The next one.
      }
    }
    return pid;
  }

  /** Whether a process runs; one that has ended but was not yet waited for does not. */
  public static boolean runs(long pid) {
    if (ProcessHandle.of(pid).isEmpty()) {
      return false;
    }
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException e) {
      return ProcessHandle.of(pid).isPresent() && !Files.exists(Path.of("/proc/self"));
    }
  }
}
