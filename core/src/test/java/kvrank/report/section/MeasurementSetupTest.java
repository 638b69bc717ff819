package kvrank.report.section;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.results.ExecutionResults;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class MeasurementSetupTest {

  private static String line(Facts facts) {
    ExecutionResults results =
        new ExecutionResults(
            Path.of("results"),
            Runs.manifest("a").phases("get").repetitions(1).build(),
            facts.put(Fact.CPU_CORES, 2),
            List.of(),
            List.of());
    return new MeasurementSetup(RankingIndex.of(results)).lines().get(0);
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
}
