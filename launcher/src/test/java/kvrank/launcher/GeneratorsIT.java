package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A load that comes from several workers is never silently smaller. */
class GeneratorsIT extends InstalledKvrank {

  /** Three runs: one generator of the first is killed, one of the second stopped. */
  @Test
  void aGeneratorThatIsLostFailsItsRunAlone() throws Exception {
    scenario(
        "machines",
        """
        question: Are all present?
        engines: [{engine: redis, server: {bundled: true}}]
        fsync: off
        records: 2000
        threads: 8
        machines: 4
        # 4 s; machines that start late void a phase that ends by time.
        phases: [load, {workload: set-get, rate: 2_000}]
        measure: {warmup: 200ms, operations: 8_000}
        repetitions: 3
        """);
    Execution execution = kvrank("run", "machines", "--load-by", "local");
    execution.await("the first run's phase", () -> began(1));
    long killed = generator(execution, "2/4").pid();
    signal("-KILL", killed);
    execution.await("the second run's phase", () -> began(2));
    long stopped = generator(execution, "1/4").pid();
    signal("-STOP", stopped);

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record(1))
        .contains("\"failed\"", "generator 2 (on ", "(pid " + killed + ") was killed by signal 9")
        .contains("\"cause\" : \"outsider\"");
    assertThat(record(2))
        .contains("\"failed\"", "\"cause\" : \"harness\"")
        .containsPattern("generator 1 \\(on .* has not answered for ([5-9]|\\d\\d+)\\.");
    assertThat(record(3))
        .contains("\"completed\"", "\"generators\" : \"4\"", "\"ok\" : 2000")
        .doesNotContain("\"failed\"");
    List<String> generators = Files.readAllLines(run(3).resolve("generators.csv"));
    assertThat(generators).hasSize(1 + 4 + 4).element(8).asString().startsWith("set-get,3,");
    assertThat(Execution.mentioning(home.toString())).isEmpty();
  }

  private boolean began(int repetition) {
    try {
      return Files.readString(run(repetition).resolve("generators/0/timeline.csv"))
          .contains("\nset-get,0,");
    } catch (IOException notYet) {
      return false;
    }
  }

  private static ProcessHandle generator(Execution execution, String part) {
    try (Stream<ProcessHandle> all = execution.process().descendants()) {
      return all.filter(each -> each.info().commandLine().orElse("").endsWith("generator " + part))
          .findFirst()
          .orElseThrow();
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", name, Long.toString(pid)).start().waitFor()).isZero();
  }

  private Path run(int repetition) {
    return runFolder("machines", "redis.r" + repetition);
  }

  private String record(int repetition) throws IOException {
    return Files.readString(run(repetition).resolve("record.json"), StandardCharsets.UTF_8);
  }
}
