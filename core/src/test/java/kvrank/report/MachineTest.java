package kvrank.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.results.Results;
import kvrank.stats.RankingIndex;
import kvrank.stats.Runs;
import org.junit.jupiter.api.Test;

class MachineTest {

  private static String line(Facts facts) {
    Results results =
        new Results(
            Path.of("results"),
            Runs.manifest(List.of("a"), List.of("get"), Map.of(), 1),
            facts.put(Fact.CPU_CORES, 2),
            List.of(),
            List.of());
    return new Machine(RankingIndex.of(results)).lines().get(0);
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
