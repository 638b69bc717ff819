package kvrank.provision;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what other processes do, generously. */
public final class Eventually {

  private static final Duration LIMIT = Duration.ofSeconds(60);

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
