package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.fact.Level;
import kvrank.results.ExecutionResults;
import kvrank.results.RunRecord;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class MeasurementSetupTest {

  private static String line(Facts facts) {
    return lines(facts, List.of()).get(0);
  }

  private static List<String> lines(Facts facts, List<RunRecord> runs) {
    ExecutionResults results =
        new ExecutionResults(
            Path.of("results"),
            Runs.manifest("a").phases("get").repetitions(1).build(),
            facts.put(Fact.CPU_CORES, 2),
            runs,
            List.of());
    return new MeasurementSetup(RankingIndex.of(results)).lines();
  }

  @Test
  void showsTheAgeOfABundledVersion() {
    RunRecord bundled =
        Runs.from(Runs.run("a").phases(List.of(Runs.phase("get").build())).build())
            .facts(Map.of("engine.version", "6.2.11", "released", "2023", "way", "bundled"))
            .build();
    assertThat(lines(new Facts(), List.of(bundled)))
        .contains("Engines: a 6.2.11 of 2023 (bundled)");
  }

  @Test
  void showsTheImageOfAContainer() {
    String digest = "sha256:" + "0123456789abcdef".repeat(4);
    Map<String, String> local = Map.of("way", "container", "imageId", digest);
    Map<String, String> pulled =
        Map.of("way", "container", "imageId", digest, "imageDigest", "a@" + digest);
    for (Map<String, String> facts : List.of(local, pulled)) {
      RunRecord run =
          Runs.from(Runs.run("a").phases(List.of(Runs.phase("get").build())).build())
              .facts(facts)
              .build();
      assertThat(lines(new Facts(), List.of(run)))
          .contains(
              "Engines: a (container, %ssha256:0123456789ab…)"
                  .formatted(facts.equals(local) ? "" : "a@"));
    }
  }

  @Test
  void saysOfAVirtualMachineThatItIsOne() {
    assertThat(line(new Facts().put(Fact.MACHINE_VIRTUAL, "yes")))
        .isEqualTo("Machine: 2 cores (virtual)");
    assertThat(line(new Facts().put(Fact.MACHINE_VIRTUAL, "no"))).isEqualTo("Machine: 2 cores");
    assertThat(line(new Facts())).isEqualTo("Machine: 2 cores");
    assertThat(line(new Facts().put(Fact.MACHINE_VIRTUAL, "no; yes")))
        .as("merged")
        .isEqualTo("Machine: 2 cores (virtual)");
  }

  @Test
  void showsTheMediumAndTheModelOfTheDisk() {
    Facts facts =
        new Facts()
            .put(Fact.STORAGE_FILE_SYSTEM, "ext4")
            .put(Fact.STORAGE_DEVICE, "sda")
            .put(Fact.STORAGE_MEDIUM, "ssd");
    assertThat(lines(facts, List.of())).contains("Storage: ext4 on sda (medium ssd)");
    assertThat(lines(facts.put(Fact.STORAGE_MODEL, "Samsung 980"), List.of()))
        .contains("Storage: ext4 on sda (medium ssd, Samsung 980)");
  }

  @Test
  void factsAreShownInTheUnitsThatTheyDeclare() {
    assertThat(MeasurementSetup.value(Level.MACHINE, "storage.used", "0.412")).isEqualTo("41.2 %");
    assertThat(MeasurementSetup.value(Level.MACHINE, "others.cpuShare", "0.5; 0.25"))
        .as("merged")
        .isEqualTo("50.0 %; 25.0 %");
    assertThat(MeasurementSetup.value(Level.RUN, "others.lostSeconds", "12")).isEqualTo("12.0 s");
    assertThat(MeasurementSetup.value(Level.RUN, "setting.logBytes", "1024"))
        .as("a name that kvrank does not declare")
        .isEqualTo("1024");
    assertThat(MeasurementSetup.name(Level.MACHINE, "storage.idleFlushesPerSecond"))
        .isEqualTo("storage idle flushes");
    assertThat(MeasurementSetup.name(Level.MACHINE, "steal.cpuShare")).isEqualTo("steal CPU");
  }
}
