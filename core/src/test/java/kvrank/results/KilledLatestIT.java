package kvrank.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kvrank that is killed while it replaces the link {@code latest}. */
class KilledLatestIT {

  private static final int KILLS = 10;
  private static final int LONGEST_MILLIS = 50;

  @TempDir Path folder;

  /** Points the link to one and the other of two results until it is killed. */
  static final class MarkerMain {

    private MarkerMain() {}

    @SuppressWarnings("SystemOut") // for the test, which reads it
    public static void main(String[] arguments) throws IOException {
      List<ResultsDirectory> results =
          Stream.of(arguments).map(Path::of).map(ResultsDirectory::at).toList();
      results.get(0).markLatest();
      System.out.println("begun");
      for (int turn = 1; ; turn++) {
        results.get(turn % 2).markLatest();
      }
    }
  }

  @Test
  void latestNamesOneOfTheExecutions() throws Exception {
    Path first = ResultsDirectory.create(folder, Instant.EPOCH).path();
    Path second = ResultsDirectory.create(folder, Instant.EPOCH).path();
    Path latest = folder.resolve("latest");
    Random random = new Random();
    for (int kill = 1; kill <= KILLS; kill++) {
      Process marker =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  MarkerMain.class.getName(),
                  first.toString(),
                  second.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader out = marker.inputReader()) {
        assertThat(out.readLine()).isEqualTo("begun");
        Thread.sleep(random.nextInt(LONGEST_MILLIS));
      } finally {
        marker.destroyForcibly().waitFor();
      }
      assertThat(latest).isSymbolicLink();
      assertThat(latest.toRealPath()).isIn(first.toRealPath(), second.toRealPath());
    }
    ResultsDirectory.at(first).markLatest();
    ResultsDirectory.at(second).markLatest();
    assertThat(latest.toRealPath()).isEqualTo(second.toRealPath());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(first, second, latest);
    }
  }
}
