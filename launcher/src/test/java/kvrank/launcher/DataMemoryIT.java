package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory for data of engines in the client's JVM. */
class DataMemoryIT extends InstalledKvrank {

  /** Of keys and values of 5,000 bytes. */
  private static final long RECORD_BYTES = 5_000 + 16;

  /**
   * Garbage on the heap, which is four times as much, does not count. What the collector keeps
   * about the heap counts, and so does a compiler at work: a quarter more was seen beside other
   * load.
   */
  @Test
  void garbageOnTheHeapIsNoData() throws Exception {
    holdsWhatItsRecordsTake("caffeine", "none", 10_000);
  }

  /** Chronicle Map had about 50 MB, which its code takes of the JVM's memory. */
  @Test
  void recordsInAMappedFileAreData() throws Exception {
    holdsWhatItsRecordsTake("chronicle-map", "off", 40_000);
  }

  private void holdsWhatItsRecordsTake(String engine, String fsync, int records) throws Exception {
    assertThat(dataMemory(engine, fsync, records))
        .hasSize(3)
        .allSatisfy(
            bytes ->
                assertThat(bytes).isCloseTo((double) records * RECORD_BYTES, withinPercentage(50)));
  }

  /** Returns the memory for data after each phase, in bytes. */
  private List<Double> dataMemory(String engine, String fsync, int records) throws Exception {
    measureCeilings();
    scenario(
        "memory",
        """
        question: How much memory does the data take?
        engines: [%s]
        fsync: %s
        records: %d
        value-bytes: 5000
        phases:
          - {workload: load}
          - {workload: set, warmup: 0s, operations: 40_000}
          - {workload: get, warmup: 0s, operations: 1_000}
        repetitions: 1
        """
            .formatted(engine, fsync, records));

    Execution execution = kvrank("run", "memory");

    assertThat(execution.status()).as(execution.text()).isZero();
    List<String> lines = Files.readAllLines(latest("memory").resolve("report/rankings.csv"));
    int value = List.of(lines.get(0).split(",", -1)).indexOf("value");
    return lines.stream()
        .filter(line -> line.contains(",data-memory,"))
        .map(line -> Double.valueOf(line.split(",", -1)[value]))
        .toList();
  }
}
