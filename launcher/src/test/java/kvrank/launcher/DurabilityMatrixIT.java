package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verdicts on durability with {@code fsync: on}, with few threads and many, slow and fast. */
@Tag("one-at-a-time")
class DurabilityMatrixIT extends InstalledKvrank {

  private static final Pattern VERDICT =
      Pattern.compile(
          "\"name\" : \"(t\\d+-r\\d+)\".*?\"verdict\" : \"([^\"]*)\",\\s*\"reason\" : \"([^\"]*)\"",
          Pattern.DOTALL);

  private record Verdict(String phase, String label, String reason) {}

  @BeforeEach
  void writeMatrix() throws IOException {
    StringBuilder phases = new StringBuilder();
    for (int threads : new int[] {1, 8, 50}) {
      for (int rate : new int[] {1, 40, 1_000}) {
        phases.append(
            "\n  - {workload: set, as: t%1$d-r%2$d, threads: %1$d, rate: %2$d}"
                .formatted(threads, rate));
      }
    }
    scenario(
        "matrix",
        """
        question: Which of these are durable?
        engines:
          - {engine: redis, as: everysec, server: {bundled: true}, options: {appendfsync: everysec}}
          - {engine: redis, as: always, server: {bundled: true}}
          - rocksdb
        fsync: on
        records: 1000
        phases:
          - {workload: load, batch: 100}"""
            + phases
            + """

        measure: {warmup: 0s, duration: 500ms}
        repetitions: 1
        """);
  }

  @Test
  void onlyWhatSyncsEveryWriteIsProven() throws Exception {
    assertVerdicts();
  }

  @Test
  void aProcessThatSyncsBesideThemProvesNothing() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Callable<Long> syncs =
        () -> {
          ByteBuffer block = ByteBuffer.allocateDirect(4096);
          long count = 0;
          try (FileChannel file =
              FileChannel.open(
                  home.resolve("other"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (; end.getCount() > 0; count++) {
              file.write(block.rewind());
              file.force(false);
            }
          }
          return count;
        };
    FutureTask<Long> other = new FutureTask<>(syncs);
    new Thread(other, "syncs").start();
    try {
      assertVerdicts();
    } finally {
      end.countDown();
      assertThat(other.get()).isPositive();
    }
  }

  private void assertVerdicts() throws Exception {
    Execution execution = kvrank("run", "matrix");
    assertThat(execution.status()).as(execution.text()).isZero();
    for (String engine : List.of("always", "rocksdb")) {
      assertThat(verdicts(engine))
          .allSatisfy(each -> assertThat(each.label()).isIn("proven", "not measurable"))
          .allSatisfy(each -> assertThat(each.reason()).isNotBlank());
    }
    for (Verdict each : verdicts("everysec")) {
      if (each.label().equals("not measurable")) {
        abort("everysec is not tested on this machine: " + each);
      }
      assertThat(each.label()).as(each.toString()).isEqualTo("not proven");
    }
  }

  private List<Verdict> verdicts(String engine) throws IOException {
    Matcher found = VERDICT.matcher(record("matrix", engine + ".r1"));
    List<Verdict> verdicts = new ArrayList<>();
    while (found.find()) {
      verdicts.add(new Verdict(found.group(1), found.group(2), found.group(3)));
    }
    verdicts.forEach(each -> System.out.printf("%s: %s%n", engine, each));
    assertThat(verdicts).hasSize(9);
    return verdicts;
  }
}
