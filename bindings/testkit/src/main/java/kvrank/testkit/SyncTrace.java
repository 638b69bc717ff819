package kvrank.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The calls by which this process asks the system to sync, while strace is attached to it. */
final class SyncTrace implements AutoCloseable {

  private static final String CALLS = "fsync,fdatasync,msync,sync_file_range";

  // A call that another thread's line interrupts has a second line, "… resumed".
  private static final Pattern CALL = Pattern.compile("\\b(fsync|fdatasync|msync)\\(");

  private final Process strace;
  private final Path log;

  private SyncTrace(Process strace, Path log) {
    this.strace = strace;
    this.log = log;
  }

  /** Begins to trace; the test is skipped where that cannot be done. */
  static SyncTrace ofThisProcess(Path log) throws IOException {
    String pid = Long.toString(ProcessHandle.current().pid());
    String answer;
    try {
      Process strace =
          new ProcessBuilder(
                  "strace", "-f", "-o", log.toString(), "-e", "trace=" + CALLS, "-p", pid)
              .redirectErrorStream(true)
              .start();
      BufferedReader said = strace.inputReader(StandardCharsets.UTF_8);
      answer = said.readLine();
      if (answer != null && answer.contains("Process " + pid + " attached")) {
        return new SyncTrace(strace, log);
      }
      strace.destroy();
    } catch (IOException e) {
      answer = e.getMessage();
    }
    String reason = "system calls are not counted: " + answer;
    assertThat(System.getenv("KVRANK_REQUIRE_STRACE")).as(reason).isNotEqualTo("true");
    System.out.println("SKIPPED: " + reason);
    abort(reason);
    throw new IllegalStateException("aborted");
  }

  /** Ends the tracing; returns the number of calls. */
  long stop() throws IOException, InterruptedException {
    strace.destroy();
    strace.waitFor();
    return count();
  }

  /** Returns the number of calls so far. */
  long count() throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.map(CALL::matcher).filter(Matcher::find).count();
    }
  }

  @Override
  public void close() {
    strace.destroy();
  }
}
