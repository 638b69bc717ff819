package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The memory for data of an engine in the JVM's heap, whatever garbage its phases left there, which
 * is four times as much. What the collector keeps about the heap counts, too, and so does a
 * compiler at work: a quarter more was seen beside other load.
 */
class DataMemoryIT extends InstalledKvrank {

  /** Of 10,000 records of 5,000 bytes. */
  private static final long LIVE_BYTES = 10_000 * (5_000 + 16);

  @Test
  void garbageOnTheHeapIsNoData() throws Exception {
    measureCeilings();
    scenario(
        "heap",
        """
        question: How much memory does the data take?
        engines: [caffeine]
        fsync: none
        records: 10_000
        value-bytes: 5000
        phases:
          - {workload: load}
          - {workload: set, warmup: 0s, operations: 40_000}
          - {workload: get, warmup: 0s, operations: 1_000}
        repetitions: 1
        """);

    Execution execution = kvrank("run", "heap");

    assertThat(execution.status()).as(execution.text()).isZero();
    List<String> lines = Files.readAllLines(latest("heap").resolve("report/rankings.csv"));
    int value = List.of(lines.get(0).split(",", -1)).indexOf("value");
    assertThat(lines)
        .filteredOn(line -> line.contains(",data-memory,"))
        .hasSize(3)
        .allSatisfy(
            line ->
                assertThat(Double.parseDouble(line.split(",", -1)[value]))
                    .as(line)
                    .isCloseTo(LIVE_BYTES, withinPercentage(50)));
  }
}
