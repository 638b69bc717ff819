package kvrank.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kvrank says while its JVM ends. */
class InterruptIT {

  @TempDir private Path folder;

  @Test
  void onlyTheInterruptIsSaid() throws Exception {
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Dkvrank.home=" + System.getProperty("kvrank.home"),
                "-cp",
                System.getProperty("java.class.path"),
                ExecutionTest.Ending.class.getName(),
                folder.resolve("ending").toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();

    int status = process.waitFor();
    assertThat(status).as(Files.readString(said)).isEqualTo(143);
    assertThat(said).content().contains("interrupted").doesNotContain("Shutdown", "went on");
  }
}
