package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessTest {

  @TempDir private Path folder;

  @Test
  void theTailIsTheLastLines() throws IOException {
    assertThat(tail("")).isEmpty();
    assertThat(tail("one\ntwo\n")).isEqualTo("; the end of worker.log:\n  one\n  two");
    assertThat(tail(numbered("line ", 30))).endsWith("\n  line 30").doesNotContain("line 20");
    assertThat(WorkerProcess.tail(folder.resolve("none"))).contains("cannot be read");
  }

  @Test
  void theCauseOfACrashInNativeCodeComesBeforeItsStack() throws IOException {
    String log =
        "panic: a first one, which was no crash\n"
            + numbered("early ", 20)
            + "fatal error: fault\n[signal SIGSEGV]\n\n"
            + numbered("frame ", 30);
    assertThat(tail(log))
        .startsWith("; the end of worker.log:\n  fatal error: fault\n  [signal SIGSEGV]")
        .doesNotContain("first one", "early", "frame 30");
    assertThat(tail("more\nthread '<unnamed>' panicked at src/lib.rs:1:1:\nboom\n"))
        .contains("more", "panicked at", "boom");
  }

  private static String numbered(String text, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> text + i + "\n")
        .collect(Collectors.joining());
  }

  private String tail(String text) throws IOException {
    return WorkerProcess.tail(Files.writeString(folder.resolve("worker.log"), text));
  }
}
