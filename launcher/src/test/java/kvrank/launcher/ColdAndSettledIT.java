package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Phases that begin cold, and that wait for the engine's background work. */
@Tag("few-at-a-time")
class ColdAndSettledIT extends InstalledKvrank {

  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Of 8,000 records of 1,000 bytes. */
  private static final long LIVE_BYTES = 8_000 * (1_000 + 16);

  @Test
  void buffersAndMappedPagesAreReadFromStorageAgain() throws Exception {
    if (!Files.isWritable(DROP)) {
      System.out.println("SKIPPED: cold phases: this is not root");
      abort("only root may drop the page cache");
    }
    scenario(
        "cold",
        """
        question: Is it read from storage?
        engines:
          - {engine: redis, server: {bundled: true}}
          - lmdb
          - {engine: rocksdb, as: flushed, options: {write-buffer-bytes: 1048576}}
          - {engine: rocksdb, as: buffered}
        fsync: off
        records: 8_000
        value-bytes: 1000
        phases:
          - {workload: load, settle: until-idle}
          - {workload: get, as: warm, warmup: 0s, operations: 10_000}
          - {workload: get, as: cold, warmup: 0s, operations: 40_000, cold: true}
        repetitions: 1
        """);

    Execution execution = kvrank("run", "cold");

    assertThat(execution.status()).as(execution.text()).isZero();
    // 40,000 requests choose all but e^-5 of the records.
    for (String engine : new String[] {"lmdb", "flushed", "buffered"}) {
      String record = record("cold", engine + ".r1");
      String cold = phase(record, "cold");
      assertThat(cold).contains("\"cold.reopened\" : \"yes\"");
      assertThat(number(cold, "readBytes")).as(engine).isGreaterThan(LIVE_BYTES / 2);
      assertThat(number(cold, "cold\\.cachedBytes")).as(engine).isLessThan(LIVE_BYTES / 50);
      assertThat(phase(record, "load")).contains("\"settle.idle\" : \"yes\"", "settle.nanos");
    }
    assertThat(phase(record("cold", "redis.r1"), "cold")).contains("\"cold.reopened\" : \"no\"");
    String flushed = phase(record("cold", "flushed.r1"), "load");
    assertThat(number(flushed, "flushes\\.count")).isBetween(6L, 12L);
    assertThat(flushed).contains("\"engine.pending-work\" : \"0\"");
    String buffered = record("cold", "buffered.r1");
    assertThat(number(phase(buffered, "load"), "flushes\\.count")).isZero();
    assertThat(home.resolve("results/cold/latest/report/rankings.md"))
        .content()
        .contains(
            "never flushed",
            "served from memory",
            "not cold",
            "buffered: data = 0.12x write buffer, 0.015x cache");
  }

  /**
   * 16,000 records of 1,016 bytes: 15 full buffers of 1,033 records each, and a copy of each. A
   * read takes 8 KiB from storage, unless the record is in the buffer.
   */
  @Test
  void everyFigureIsThatOfAStoreWhoseWorkIsKnown() throws Exception {
    Path folder = Files.createDirectory(home.resolve("bindings/scripted"));
    Files.writeString(
        folder.resolve("engine.yaml"),
        """
        description: A store whose flushes and compactions follow a script.
        install: "nothing: it is part of a test"
        binding:
          class: kvrank.scripted.ScriptedBinding
          classpath: ["%s"]
          properties: {dir: "${data}"}
        capabilities: [read, insert]
        fsync: {on: {unsupported: it never syncs}, off: {}}
        embedded: true
        """
            .formatted(PROJECT.resolve("launcher/target/test-classes")));
    scenario(
        "scripted",
        """
        question: What does it do?
        engines: [scripted]
        fsync: off
        records: 16_000
        value-bytes: 1000
        memory: 512MiB
        phases:
          - {workload: load, settle: until-idle}
          - {workload: get, warmup: 0s, operations: 10_000}
        repetitions: 1
        """);

    Execution execution = kvrank("run", "scripted", "--allow-commands");

    assertThat(execution.status()).as(execution.text()).isZero();
    String record = record("scripted", "scripted.r1");
    String load = phase(record, "load");
    long user = 16_000 * 1_016L;
    long tables = 15 * 1_033 * (1_016 + 8L);
    assertThat(number(load, "user\\.writtenBytes")).isEqualTo(user);
    assertThat(number(load, "flushes\\.count")).isEqualTo(15);
    assertThat(load).contains("\"pending.beginBytes\" : \"0\"", "\"settle.idle\" : \"yes\"");
    // It copies its tables once it was not used for a second.
    assertThat(metric("load", "pending-bytes")).isEqualTo((double) tables);
    assertThat(metric("load", "written-bytes")).isCloseTo((double) tables, withinPercentage(2));
    assertThat(metric("load", "write-amplification"))
        .isCloseTo((double) tables / user, withinPercentage(2));
    assertThat(metric("load", "engine-write-amplification")).isEqualTo((double) tables / user);
    assertThat(number(load, "settle\\.writtenBytes")).isCloseTo(tables, withinPercentage(2));
    assertThat(metric("load", "settled-write-amplification"))
        .isCloseTo(2.0 * tables / user, withinPercentage(2));
    // Both tables and copies, which it makes after the load.
    assertThat(metric("load", "footprint")).isCloseTo(2.0 * tables, withinPercentage(2));
    assertThat(metric("get", "pending-start-bytes")).isZero();
    if (record.contains("\"engine.direct\" : \"true\"")) {
      double inTables = 15 * 1_033 / 16_000.0;
      assertThat(metric("get", "read-bytes"))
          .isCloseTo(10_000 * inTables * 8192, withinPercentage(2));
      assertThat(metric("get", "read-amplification"))
          .isCloseTo(inTables * 8192 / 1_016, withinPercentage(2));
    }
    assertThat(metric("get", "engine-read-amplification"))
        .isCloseTo(15 * 1_033 / 16_000.0 * 8192 / 1_016, withinPercentage(2));
    assertThat(metric("get", "data-per-write-buffer"))
        .isCloseTo(user / 1048576.0, withinPercentage(2));
    assertThat(metric("get", "data-per-cache")).isCloseTo(user / 4194304.0, withinPercentage(2));
    assertThat(metric("get", "data-per-memory")).isCloseTo(user / 536870912.0, withinPercentage(2));
    assertThat(metric("get", "flushes")).isZero();
  }

  private Double metric(String phase, String name) throws IOException {
    List<String> lines =
        Files.readAllLines(home.resolve("results/scripted/latest/report/rankings.csv"));
    int value = List.of(lines.get(0).split(",", -1)).indexOf("value");
    return lines.stream()
        .filter(
            line -> line.startsWith("scripted," + phase + ",") && line.contains("," + name + ","))
        .map(line -> Double.valueOf(line.split(",", -1)[value]))
        .findFirst()
        .orElseThrow(() -> new AssertionError(phase + " has no " + name));
  }

  private static String phase(String record, String name) {
    int begin = record.indexOf("\"name\" : \"" + name + "\"");
    assertThat(begin).as(record).isPositive();
    int end = record.indexOf("\"name\" : ", begin + 1);
    return record.substring(begin, end < 0 ? record.length() : end);
  }

  /** Returns the largest number of that name: the engine's process reads most. */
  private static long number(String text, String name) {
    Matcher found = Pattern.compile("\"" + name + "\" : \"?(\\d+)").matcher(text);
    return found.results().mapToLong(each -> Long.parseLong(each.group(1))).max().orElseThrow();
  }
}
