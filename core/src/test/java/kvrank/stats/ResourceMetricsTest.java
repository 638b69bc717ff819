package kvrank.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.metric.Metric;
import kvrank.metric.Metrics;
import kvrank.metric.Usage;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import org.junit.jupiter.api.Test;

/** Figures that can be worked out by hand: 1,000 records of 100 bytes, each written twice. */
class ResourceMetricsTest {

  private static final SortedMap<String, String> FACTS =
      new TreeMap<>(
          Map.of(
              "records", "1000",
              "user.liveBytes", "400000",
              "user.writtenBytes", "200000",
              "client.heapResidentBytes", "1000000",
              "client.heapLiveBytes", "700000",
              "harness.offHeapBytes", "2000000",
              "harness.heapLiveBytes", "200000"));

  private static final Usage SERVER =
      Runs.usage()
          .cpuSeconds(0.5, 0.1)
          .resident(0, 0, 5_500_000)
          .files(500_000)
          .writtenBytes(500_000)
          .build();
  private static final Usage WORKER =
      Runs.usage()
          .cpuSeconds(2, 1)
          .resident(0, 0, 8_900_000)
          .files(900_000)
          .writtenBytes(300_000)
          .build();

  private static OptionalDouble value(
      Metric metric, String way, Map<String, String> facts, Usage server, Usage client) {
    return metric.value(sample(way, facts, server, client));
  }

  private static Sample sample(String way, Map<String, String> facts, Usage server, Usage client) {
    PhaseRecord plain = Runs.phase("set").at("fsync", "off").operation("update", 2000.0).build();
    PhaseRecord phase =
        Runs.from(plain).resources(Runs.resources(server, client, 600_000)).facts(facts).build();
    RunRecord run =
        Runs.run("a")
            .phases(phase)
            .facts(Map.of("way", way, "memory.emptyAnonymousBytes", "1000000"))
            .build();
    return new Sample(run, phase, Optional.empty());
  }

  @Test
  void aServersFiguresAreThoseOfItsProcess() {
    assertThat(
            value(Metrics.named("cpu-per-record"), "process", FACTS, SERVER, WORKER).getAsDouble())
        .isEqualTo(0.6 / ok());
    assertThat(value(Metrics.named("memory-per-record"), "process", FACTS, SERVER, WORKER))
        .hasValue(4_000);
    assertThat(value(Metrics.named("write-amplification"), "process", FACTS, SERVER, WORKER))
        .hasValue(2.5);
    assertThat(value(Metrics.named("space-amplification"), "process", FACTS, SERVER, WORKER))
        .hasValue(1.5);
  }

  /** Clients of other machines are not seen from here, and say it themselves. */
  @Test
  void aClientOfAnotherMachineSaysWhatItUsed() {
    Metric metric = Metrics.named("client-cpu-per-record");
    SortedMap<String, String> said = new TreeMap<>(FACTS);
    said.put("client.cpuSeconds", "1.5");
    assertThat(value(metric, "process", said, SERVER, null)).hasValue(1.5 / ok());
    assertThat(value(metric, "process", said, SERVER, WORKER)).hasValue(3 / ok());
    assertThat(value(metric, "process", FACTS, SERVER, null)).isEmpty();
    assertThat(value(metric, "embedded", said, null, WORKER)).isEmpty();
  }

  /** What a process takes besides varies by more than so little data. */
  @Test
  void fewRecordsSayNothingOfMemory() {
    SortedMap<String, String> few = new TreeMap<>(FACTS);
    few.put("user.liveBytes", "99999");
    assertThat(value(Metrics.named("memory-per-record"), "process", few, SERVER, WORKER)).isEmpty();
  }

  /** The page cache counted for mapped engines only. */
  @Test
  void pagesOfFilesAreInNoMemoryButTheirOwn() {
    Usage server = Runs.usage().resident(3_000_000, 6_000_000, 5_500_000).files(500_000).build();
    Map<String, Double> expected =
        Map.of(
            "memory", 5e6,
            "file-memory", 5e5,
            "memory-mean", 2.5e6,
            "memory-peak", 5.5e6,
            "run-memory-mean", 2.5e6,
            "run-memory-peak", 5.5e6);
    expected.forEach(
        (metric, bytes) ->
            assertThat(value(Metrics.named(metric), "process", FACTS, server, WORKER))
                .as(metric)
                .hasValue(bytes));
  }

  private static double ok() {
    return Runs.phase("set").operation("update", 2000.0).build().operations().get("update").ok();
  }

  @Test
  void anEmbeddedEnginesMemoryIsWithoutTheHarness() {
    assertThat(value(Metrics.MEMORY, "embedded", FACTS, null, WORKER)).hasValue(8_000_000);
    assertThat(value(Metrics.named("off-heap"), "embedded", FACTS, null, WORKER))
        .hasValue(7_000_000);
    // 5,000,000 off the heap and 500,000 on it.
    assertThat(value(Metrics.named("data-memory"), "embedded", FACTS, null, WORKER))
        .hasValue(5_500_000);
    assertThat(value(Metrics.named("memory-per-record"), "embedded", FACTS, null, WORKER))
        .hasValue(5_500);
    assertThat(value(Metrics.named("write-amplification"), "embedded", FACTS, null, WORKER))
        .hasValue(1.5);
    assertThat(
            value(
                Metrics.named("memory-per-record"),
                "embedded",
                Map.of("records", "1000"),
                null,
                WORKER))
        .isEmpty();
  }

  /** Chronicle Map had 50 MiB whatever it held: its records are in a file that it maps. */
  @Test
  void whatAnEngineCountsOutsideOfTheHeapIsItsData() {
    SortedMap<String, String> counted = new TreeMap<>(FACTS);
    counted.put("engine.off-heap-bytes", "7400000");
    // With 500,000 on the heap.
    assertThat(value(Metrics.DATA_MEMORY, "embedded", counted, null, WORKER)).hasValue(7_900_000);
    assertThat(value(Metrics.named("engine-memory"), "embedded", counted, null, WORKER))
        .hasValue(7_400_000);
    // Of a file larger than memory, only 8,900,000 - 1,000,000 are resident.
    counted.put("engine.off-heap-bytes", "99000000");
    assertThat(value(Metrics.DATA_MEMORY, "embedded", counted, null, WORKER)).hasValue(8_400_000);
    counted.put("engine.used_memory", "4100000");
    assertThat(value(Metrics.named("engine-memory"), "process", counted, SERVER, WORKER))
        .hasValue(4_100_000);
    assertThat(value(Metrics.DATA_MEMORY, "process", counted, SERVER, WORKER)).hasValue(4_000_000);
    assertThat(value(Metrics.named("engine-memory"), "process", FACTS, SERVER, WORKER)).isEmpty();
  }

  /** Engines that overwrite mapped pages seemed to write next to nothing, and were ranked first. */
  @Test
  void writeAmplificationIsNotMeasurableIfMostWritesWereNotCounted() {
    Metric metric = Metrics.WRITE_AMPLIFICATION;
    Usage mapped = Runs.usage().cpuSeconds(1, 1).writtenBytes(99_999).build();
    Sample sample = sample("embedded", FACTS, null, mapped);
    assertThat(metric.value(sample)).isEmpty();
    assertThat(metric.absence(sample).applies()).isTrue();
    assertThat(metric.absence(sample).reason()).startsWith("Linux counted less than half");
    SortedMap<String, String> reads = new TreeMap<>(FACTS);
    reads.put("user.writtenBytes", "0");
    assertThat(metric.absence(sample("embedded", reads, null, mapped)).reason())
        .startsWith("it wrote nothing");
    SortedMap<String, String> settled = new TreeMap<>(FACTS);
    settled.put("settle.writtenBytes", "100001");
    assertThat(value(Metrics.SETTLED_WRITE_AMPLIFICATION, "embedded", settled, null, mapped))
        .hasValue(1);
  }

  @Test
  void anEnginesOwnCountIsDividedByTheSameBytes() {
    SortedMap<String, String> counted = new TreeMap<>(FACTS);
    counted.putAll(
        Map.of(
            "counted.writtenBytes", "520000",
            "counted.readBytes", "300000",
            "user.readBytes", "100000"));
    Usage usage = Runs.usage().writtenBytes(500_000).readBytes(250_000).majorFaults(61).build();
    Map<String, Double> expected =
        Map.of(
            "write-amplification", 2.5,
            "engine-write-amplification", 2.6,
            "read-amplification", 2.5,
            "engine-read-amplification", 3.0,
            "major-faults", 61.0);
    expected.forEach(
        (metric, factor) ->
            assertThat(value(Metrics.named(metric), "embedded", counted, null, usage))
                .as(metric)
                .hasValue(factor));
    counted.put("user.readBytes", "0");
    for (String metric : List.of("read-amplification", "engine-read-amplification")) {
      assertThat(value(Metrics.named(metric), "embedded", counted, null, usage)).isEmpty();
    }
    assertThat(value(Metrics.named("major-faults"), "embedded", FACTS, null, WORKER)).isEmpty();
  }

  @Test
  void whatIsNotKnownHasNoValue() {
    for (Metric metric :
        List.of(
            Metrics.named("memory-per-record"),
            Metrics.named("write-amplification"),
            Metrics.named("space-amplification"))) {
      assertThat(value(metric, "process", Map.of(), SERVER, WORKER)).as(metric.id()).isEmpty();
    }
    assertThat(
            value(
                Metrics.named("write-amplification"),
                "process",
                Map.of("user.writtenBytes", "0"),
                SERVER,
                WORKER))
        .isEmpty();
    assertThat(value(Metrics.named("cpu-per-record"), "external", FACTS, null, WORKER)).isEmpty();
  }

  /** An engine's own count may be any text; one that is not a number ended every report. */
  @Test
  void whatAnEngineSaysThatIsNoNumberHasNoValue() {
    assertThat(expiredSpace("2000")).hasValue(50);
    assertThat(expiredSpace("many")).isEmpty();
    assertThat(expiredSpace(":2000")).isEmpty();
    assertThat(expiredSpace("")).isEmpty();
  }

  private static OptionalDouble expiredSpace(String held) {
    SortedMap<String, String> facts = new TreeMap<>(FACTS);
    facts.putAll(Map.of("alive.records", "1000", "alive.most", "2000", "alive.sample", "2000"));
    facts.put("engine.records", held);
    return value(Metrics.named("expired-space"), "process", facts, SERVER, WORKER);
  }

  @Test
  void othersThatUseMuchOfTheMachineAreADoubt() {
    PhaseRecord phase = Runs.phase("set").operation("update", 1.0).build();
    assertThat(
            QualityFlag.of(List.of(with(phase, "0.080", "0.030"), with(phase, "0.050", "0.050"))))
        .extracting(QualityFlag::label)
        .containsExactly("disturbed 1/2");
    assertThat(QualityFlag.of(List.of(phase))).isEmpty();
  }

  private static PhaseRecord with(PhaseRecord phase, String others, String steal) {
    return Runs.from(phase)
        .facts(Map.of("others.cpuShare", others, "steal.cpuShare", steal))
        .build();
  }
}
