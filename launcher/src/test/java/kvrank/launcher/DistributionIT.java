package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build packed for people to install runs wherever it is unpacked. */
class DistributionIT {

  @TempDir private Path folder;

  @Test
  void theArchiveRunsFromAnyFolder() throws Exception {
    String version = System.getProperty("kvrank.version");
    String name = "kvrank-" + version;
    Path archive = InstalledKvrank.PROJECT.resolve("launcher/target/" + name + ".tar.gz");
    String[] tar = {"tar", "-xzf", archive.toString(), "-C", folder.toString()};
    assertThat(new ProcessBuilder(tar).inheritIO().start().waitFor()).isZero();
    Path home = folder.resolve(name);
    Path elsewhere = Files.createDirectory(folder.resolve("a folder"));
    Files.writeString(
        elsewhere.resolve("installed.yaml"),
        """
        question: Does what was unpacked run?
        engines: [{engine: redis, server: {bundled: true}}, h2-mvstore, noop]
        fsync: off
        records: 1000
        phases: [load, get]
        measure: {warmup: 0s, duration: 200ms}
        repetitions: 1
        """);

    Execution asked = Execution.start(home, elsewhere, "--version");
    Execution execution = Execution.start(home, elsewhere, "run", "installed.yaml");

    assertThat(asked.status()).as(asked.text()).isZero();
    assertThat(asked.out()).content().isEqualTo("kvrank " + version + "\n");
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(elsewhere.resolve("results/installed/latest/report/report.html")).exists();
    assertThat(home.resolve("bom.json")).content().contains("CycloneDX", "pkg:maven/org.rocksdb/");
    assertThat(home.resolve("README.md")).exists();
  }
}
