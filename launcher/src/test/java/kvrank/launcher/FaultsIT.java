package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What breaks in one run is said there, in the engine's own words, and the others go on. */
class FaultsIT {

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    OwnKvrank.install(home);
  }

  @AfterEach
  void removeLinks() throws IOException {
    OwnKvrank.removeLinks(home);
  }

  @Test
  void aServerThatHangsFromTheWarmUpOnCompletesNothing() throws Exception {
    // Its silence lasts longer than the warm-up and what is measured.
    Execution execution = run("hung", "timeout-millis: 6000");
    execution.await("the warm-up", () -> began("hung", "get"));
    long redis = server(execution).pid();
    assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(redis)).start().waitFor())
        .isZero();

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record("hung", "redis.r1"))
        .contains("in the warm-up", "no answer within 6000 ms")
        .doesNotContain("set-get");
    assertThat(record("hung", "rocksdb.r1")).contains("\"completed\"").doesNotContain("\"failed\"");
    assertNothingLeft();
  }

  @Test
  void whatTheEngineSaysOfItsErrorsIsTheOutcome() throws Exception {
    Execution execution = run("full", "maxmemory: 2mb");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record("full", "redis.r1"))
        .contains("of insert: 127.0.0.1:", "OOM command not allowed when used memory > 'maxmemory'")
        .containsPattern("\\(x\\d+\\)");
    assertThat(record("full", "rocksdb.r1")).contains("\"completed\"").doesNotContain("\"failed\"");
    assertNothingLeft();
  }

  @Test
  void aFullDiskUnderTheResultsIsSaidAndNoStackTrace() throws Exception {
    Path disk = Files.createDirectory(home.resolve("results"));
    String tmpfs = "mount -t tmpfs -o size=100m none " + disk;
    if (new ProcessBuilder(tmpfs.split(" ", -1)).inheritIO().start().waitFor() != 0) {
      String reason = "SKIPPED: no disk is filled: only root can run '%s'".formatted(tmpfs);
      System.out.println(reason);
      abort(reason);
    }
    try {
      Execution execution = run("disk", "timeout-millis: 6000");
      execution.await("the warm-up", () -> began("disk", "get"));
      for (int block = 1 << 20; block >= 4096; block /= 4) {
        try (OutputStream fill = Files.newOutputStream(disk.resolve("fill-" + block))) {
          while (true) {
            fill.write(new byte[block]);
          }
        } catch (IOException full) {
          assertThat(disk.toFile().getUsableSpace()).isLessThan(block);
        }
      }

      assertThat(execution.status()).as(execution.text()).isEqualTo(1);
      assertThat(execution.text())
          .contains("redis.r1 failed: ", "rocksdb.r1 ")
          .doesNotContain("Exception", "\tat ");
      assertNothingLeft();
    } finally {
      assertThat(new ProcessBuilder("umount", "-l", disk.toString()).inheritIO().start().waitFor())
          .isZero();
    }
  }

  private Execution run(String name, String option) throws IOException {
    Files.writeString(
        home.resolve("scenarios/" + name + ".yaml"),
        """
        question: What happens?
        engines: [{engine: redis, server: {bundled: true}, options: {%s}}, rocksdb]
        fsync: off
        records: 20000
        threads: 2
        phases: [load, get, set-get]
        measure: {warmup: 500ms, duration: 500ms}
        repetitions: 1
        """
            .formatted(option));
    return Execution.start(home, home, "run", name);
  }

  private boolean began(String scenario, String phase) {
    try {
      return Files.readString(runs(scenario).resolve("redis.r1/resources.csv"))
          .contains("\n" + phase + ",");
    } catch (IOException notYet) {
      return false;
    }
  }

  private static ProcessHandle server(Execution execution) {
    List<ProcessHandle> all =
        execution
            .process()
            .descendants()
            .filter(each -> each.info().command().orElse("").contains("redis-server"))
            .toList();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private Path runs(String scenario) {
    return home.resolve("results").resolve(scenario).resolve("latest/runs");
  }

  private String record(String scenario, String run) throws IOException {
    return Files.readString(
        runs(scenario).resolve(run).resolve("record.json"), StandardCharsets.UTF_8);
  }

  private void assertNothingLeft() {
    assertThat(Execution.mentioning(home.toString())).isEmpty();
  }
}
