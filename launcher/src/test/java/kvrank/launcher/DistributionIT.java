package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the build packed for people to install runs wherever it is unpacked. */
class DistributionIT {

  @TempDir private Path folder;

  @Test
  void theArchiveRunsFromAnyFolder() throws Exception {
    Path archive;
    try (Stream<Path> files = Files.list(InstalledKvrank.PROJECT.resolve("launcher/target"))) {
      List<Path> archives = files.filter(file -> file.toString().endsWith(".tar.gz")).toList();
      assertThat(archives).as("made by mvn -Pdistribution verify").hasSize(1);
      archive = archives.get(0);
    }
    String[] tar = {"tar", "-xzf", archive.toString(), "-C", folder.toString()};
    assertThat(new ProcessBuilder(tar).inheritIO().start().waitFor()).isZero();
    Path home = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
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

    Execution execution = Execution.start(home, elsewhere, "run", "installed.yaml");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(elsewhere.resolve("results/installed/latest/report/report.html")).exists();
    assertThat(home.resolve("bom.json")).content().contains("CycloneDX", "pkg:maven/org.rocksdb/");
    assertThat(home.resolve("README.md")).exists();
  }
}
