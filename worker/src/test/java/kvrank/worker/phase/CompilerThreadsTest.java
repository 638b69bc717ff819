package kvrank.worker.phase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {

  @TempDir Path tasks;

  private Path thread(int id, String name, long nanos) throws IOException {
    Path thread = Files.createDirectories(tasks.resolve(Integer.toString(id)));
    Files.writeString(thread.resolve("comm"), name + "\n");
    Files.writeString(thread.resolve("schedstat"), nanos + " 17 4\n");
    return thread;
  }

  /** A JVM starts compiler threads when it needs them, and ends them when they are idle. */
  @Test
  void onlyCompilersCountAndTheirTimeOutlivesThem() throws IOException {
    CompilerThreads compiler = new CompilerThreads(tasks);
    thread(11, "client-0", 5_000);
    thread(12, "C1 CompilerThre", 100);
    Path second = thread(13, "C2 CompilerThre", 1_000);
    assertThat(compiler.nanos()).isEqualTo(1_100);

    Files.delete(second.resolve("comm"));
    Files.delete(second.resolve("schedstat"));
    Files.delete(second);
    thread(14, "C2 CompilerThre", 7);
    assertThat(compiler.nanos()).isEqualTo(1_107);
  }

  @Test
  void withoutLinuxTheTimeIsUnknown() {
    assertThat(new CompilerThreads(tasks.resolve("none")).nanos()).isZero();
  }

  /** The names and files belong to this JVM, which has compiled a lot by now. */
  @Test
  void theCompilersOfThisJvmAreFound() {
    assertThat(new CompilerThreads().nanos()).isPositive();
  }
}
