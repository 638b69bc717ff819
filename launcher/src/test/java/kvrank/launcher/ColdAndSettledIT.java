package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Phases that begin cold, and that wait for the engine's background work. */
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
        .contains("never flushed", "served from memory", "not cold");
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
