package kvrank.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import kvrank.scenario.CpuList;
import kvrank.scenario.Isolation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuSetsTest {

  @TempDir private Path folder;

  private static CpuList list(String text) {
    return CpuList.parse(text).orElseThrow();
  }

  private CpuSets automatic(String allowed) throws IOException {
    Files.createDirectories(folder.resolve("proc/self"));
    Files.writeString(
        folder.resolve("proc/self/status"), "Name:\tx\nCpus_allowed_list:\t" + allowed + "\n");
    return CpuSets.of(new Isolation.Automatic(), folder.resolve("proc"), folder.resolve("sys"));
  }

  private void siblings(int cpu, String siblings) throws IOException {
    Path topology = folder.resolve("sys/devices/system/cpu/cpu" + cpu + "/topology");
    Files.createDirectories(topology);
    Files.writeString(topology.resolve("thread_siblings_list"), siblings + "\n");
  }

  @Test
  void eachGetsHalf() throws IOException {
    CpuSets sets = automatic("0-2,4-6,8");

    assertThat(sets.client()).contains(list("0-2"));
    assertThat(sets.server()).contains(list("4-6,8"));
    assertThat(sets.worker(false)).contains(list("0-2"));
    assertThat(sets.worker(true)).contains(list("0-2,4-6,8"));
    assertThat(sets.ofHarness().worker(true)).contains(list("0-2"));
    assertThat(sets.facts().asMap())
        .containsEntry("isolation.clientCpus", "0-2")
        .containsEntry("isolation.serverCpus", "4-6,8");
  }

  @Test
  void threadsOfACoreStayTogether() throws IOException {
    for (int cpu = 0; cpu < 8; cpu++) {
      siblings(cpu, cpu % 4 + "," + (cpu % 4 + 4));
    }

    CpuSets sets = automatic("0-7");

    assertThat(sets.client()).contains(list("0-1,4-5"));
    assertThat(sets.server()).contains(list("2-3,6-7"));
  }

  /** Numbers of CPUs alternate between nodes on many machines. */
  @Test
  void memoryNodesAreDividedAndRecorded() throws IOException {
    for (int cpu = 0; cpu < 8; cpu++) {
      Files.createDirectories(
          folder.resolve("sys/devices/system/cpu/cpu%d/node%d".formatted(cpu, cpu % 2)));
    }

    CpuSets sets = automatic("0-7");

    assertThat(sets.client()).contains(list("0,2,4,6"));
    assertThat(sets.server()).contains(list("1,3,5,7"));
    assertThat(sets.facts(folder.resolve("proc"), folder.resolve("sys")).asMap())
        .containsEntry("cpu.nodes", "0-1")
        .containsEntry("isolation.clientNodes", "0")
        .containsEntry("isolation.serverNodes", "1");
  }

  @Test
  void aFewAreNotDivided() throws IOException {
    CpuSets sets = automatic("0-2");

    assertThat(sets.client()).isEmpty();
    assertThat(sets.worker(true)).isEmpty();
    assertThat(sets.problem()).isEmpty();
    assertThat(sets.facts(folder.resolve("proc"), folder.resolve("sys")).asMap())
        .containsOnlyKeys("cpu.nodes", "isolation")
        .containsEntry("isolation", "none: 3 CPUs are too few for two sets; at least 4 are needed");
  }

  @Test
  void whatIsNotThereIsAProblem() {
    Isolation asked = new Isolation.Sets(list("0"), list("20000-20001"));

    assertThat(CpuSets.of(asked).problem())
        .hasValueSatisfying(
            text ->
                assertThat(text).startsWith("CPU '20000-20001' is not available to this process"));
  }

  @Test
  void listsAreWrittenAsLinuxDoes() {
    assertThat(list("3,1,0,2,8").label()).isEqualTo("0-3,8");
    assertThat(list("5").label()).isEqualTo("5");
    assertThat(CpuList.parse("4-")).isEmpty();
    assertThat(CpuList.parse("3-1")).isEqualTo(Optional.empty());
  }
}
