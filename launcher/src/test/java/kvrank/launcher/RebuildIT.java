package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on with what it began with, whatever is built meanwhile in the same checkout. */
class RebuildIT {

  private static final List<String> MODULES = List.of("core", "worker", "bindings/h2-mvstore");

  @TempDir private Path home;

  @Test
  void aRunCompletesWhileEveryJarAndClassOfItIsWrittenAnew() throws Exception {
    List<String> copy = new ArrayList<>(List.of("cp", "-a", "--parents", "-t", home.toString()));
    copy.addAll(List.of("kvrank", "pom.xml", "launcher/unshare", "bindings/h2-mvstore", "tables"));
    copy.addAll(List.of("workloads", "bindings/noop/engine.yaml", "core/target", "worker/target"));
    Process copied = new ProcessBuilder(copy).directory(InstalledKvrank.PROJECT.toFile()).start();
    assertThat(copied.waitFor()).isZero();
    Path scenario = home.resolve("rebuilt.yaml");
    Files.writeString(
        scenario,
        """
        question: What if it is built again meanwhile?
        engines: [h2-mvstore]
        fsync: off
        records: 5000
        phases: [load, get]
        measure: {warmup: 0s, duration: 300ms}
        repetitions: 2
        """);
    Path runs = home.resolve("results/rebuilt/latest/runs");

    Execution execution = Execution.start(home, home, "run", scenario.toString());
    execution.await(
        "the first run", () -> Files.exists(runs.resolve("h2-mvstore.r1/worker.properties")));
    for (String module : MODULES) {
      rebuild(home.resolve(module));
    }

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(runs.resolve("h2-mvstore.r2/record.json")).content().contains("\"completed\"");
    assertThat(Execution.start(home, home, "run", scenario.toString()).status())
        .as("what it would have come upon")
        .isNotZero();
  }

  /** Does to a module's files what Maven and javac do: they write into existing files. */
  private void rebuild(Path module) throws IOException, InterruptedException {
    Path unshare = home.resolve("launcher/unshare");
    assertThat(new ProcessBuilder(unshare.toString()).directory(module.toFile()).start().waitFor())
        .isZero();
    try (Stream<Path> files = Files.walk(module.resolve("target").toRealPath())) {
      for (Path file :
          files
              .filter(each -> each.toString().matches(".*/kvrank-[^/]*\\.jar|.*\\.class"))
              .toList()) {
        Files.writeString(file, "written again");
      }
    }
  }
}
