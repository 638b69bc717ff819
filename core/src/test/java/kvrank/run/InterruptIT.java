package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.Thread.State;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kvrank says while its JVM ends. */
class InterruptIT {

  @TempDir private Path folder;

  @Test
  void onlyTheInterruptIsReported() throws Exception {
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Dkvrank.home=" + System.getProperty("kvrank.home"),
                "-cp",
                System.getProperty("java.class.path"),
                Ending.class.getName(),
                folder.resolve("ending").toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();

    int status = process.waitFor();
    assertThat(status).as(Files.readString(said)).isEqualTo(143);
    assertThat(said).content().contains("interrupted").doesNotContain("Shutdown", "went on");
  }

  /** A kvrank of its own that is ended in its first run; the argument is a folder. */
  static final class Ending {

    private Ending() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
      Thread main = Thread.currentThread();
      new ScriptedExecution(Files.createDirectories(Path.of(arguments[0])))
          .duringRuns(Ending::end)
          .atInterrupt(
              () -> {
                System.out.println("interrupted");
                while (main.getState() != State.WAITING && main.getState() != State.TERMINATED) {
                  Thread.onSpinWait();
                }
              })
          .execute();
      System.out.println("went on");
    }

    private static void end() {
      new Thread(() -> Runtime.getRuntime().exit(143)).start();
      try {
        while (true) {
          Thread none = new Thread();
          Runtime.getRuntime().addShutdownHook(none);
          Runtime.getRuntime().removeShutdownHook(none);
        }
      } catch (IllegalStateException e) {
        // It ends.
      }
    }
  }
}
