package kvrank.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An execution that is killed over and over again, at moments of chance, and resumed each time, is
 * an undisturbed one.
 */
class KilledExecutionIT extends InstalledKvrank {

  private static final int KILLS = 10;

  /** Which of them take the guard along, so that the next start has to clean up. */
  private static final List<Integer> WITH_GUARD = List.of(4, 8);

  private static final int LONGEST_MILLIS = 4000;
  private static final Pattern KEY = Pattern.compile("(?s)\"engine\" : .*?\"seed\" : -?\\d+");

  @BeforeEach
  void writeScenario() throws IOException {
    Files.createDirectory(home.resolve("tmp"));
    measureCeilings();
    scenario(
        "killed",
        """
        question: Is it the same?
        engines: [{engine: redis, server: {bundled: true}}, rocksdb, lmdb]
        fsync: off
        records: 1000
        threads: 2
        phases: [load, set-get]
        measure: {warmup: 0s, duration: 200ms}
        repetitions: 1
        """);
  }

  @Test
  void isResumedAsIfItHadNotBeenKilled() throws Exception {
    Execution undisturbed = start("run", "killed", "--out", "undisturbed");
    assertThat(undisturbed.status()).as(undisturbed.text()).isZero();
    SortedMap<String, String> expected = keys(newest("undisturbed"));
    assertThat(expected).hasSize(3);

    long seed = Long.getLong("kvrank.kills.seed", System.nanoTime());
    System.out.println("-Dkvrank.kills.seed=" + seed);
    Random random = new Random(seed);
    Map<Path, FileTime> finished = new TreeMap<>();
    List<ProcessHandle> started = new ArrayList<>();
    Execution execution = start("run", "killed");
    for (int kill = 1; kill <= KILLS; ) {
      int millis = random.nextInt(LONGEST_MILLIS);
      if (execution.process().waitFor(millis, TimeUnit.MILLISECONDS)) {
        assertIsUndisturbed(execution, finished, expected);
        execution = start("run", "killed");
        continue;
      }
      boolean withGuard = WITH_GUARD.contains(kill);
      System.out.printf(
          "kill %d after %d ms%s%n", kill++, millis, withGuard ? ", with the guard" : "");
      started.addAll(kill(execution, withGuard));
      if (Files.exists(latest("killed"))) {
        assertThat(finished(newest("results/killed"))).containsAllEntriesOf(finished);
        finished.putAll(finished(newest("results/killed")));
        execution = start("run", "--resume", "killed");
      } else {
        execution = start("run", "killed");
      }
    }
    assertIsUndisturbed(execution, finished, expected);

    Execution.oneAtATime(
        () -> {
          Execution clean = start("clean");
          assertThat(clean.status()).isZero();
          assertThat(clean.text()).contains("nothing to remove");
          clean.await("the end of all", () -> started.stream().noneMatch(ProcessHandle::isAlive));
        });
    assertThat(Execution.mentioning(home.toString())).isEmpty();
    assertThat(home.resolve("tmp")).isDirectoryNotContaining(path -> !path.endsWith("kvrank.lock"));
    try (Stream<Path> files = Files.walk(home.resolve("results"))) {
      assertThat(files.filter(each -> each.getFileName().toString().startsWith("data-"))).isEmpty();
    }
  }

  private Execution start(String... arguments) throws IOException {
    return Execution.start(
        home,
        home,
        Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + home.resolve("tmp")),
        arguments);
  }

  /** Returns the processes that it had started. */
  private static List<ProcessHandle> kill(Execution execution, boolean withGuard)
      throws InterruptedException {
    List<ProcessHandle> others = execution.process().descendants().toList();
    if (withGuard) {
      others.stream()
          .filter(each -> each.info().commandLine().orElse("").endsWith("kvrank-guard"))
          .forEach(ProcessHandle::destroyForcibly);
    }
    execution.process().destroyForcibly().waitFor();
    if (!withGuard) {
      execution.await("its end", () -> others.stream().noneMatch(ProcessHandle::isAlive));
    }
    return others;
  }

  private void assertIsUndisturbed(
      Execution execution, Map<Path, FileTime> finished, Map<String, String> expected)
      throws Exception {
    assertThat(execution.status()).as(execution.text()).isZero();
    Path results = newest("results/killed");
    assertThat(keys(results)).isEqualTo(expected);
    assertThat(finished(results)).containsAllEntriesOf(finished);
    finished.clear();
  }

  private Path newest(String parent) throws IOException {
    return home.resolve(parent).resolve("latest").toRealPath();
  }

  /** Returns when each run was recorded that is over. */
  private static Map<Path, FileTime> finished(Path results) throws IOException {
    Map<Path, FileTime> finished = new TreeMap<>();
    for (Path run : runs(results)) {
      Path record = run.resolve("record.json");
      if (Files.exists(record)) {
        finished.put(record, Files.getLastModifiedTime(record));
      }
    }
    return finished;
  }

  /** Returns the key of each run, all of which are to be completed. */
  private static SortedMap<String, String> keys(Path results) throws IOException {
    SortedMap<String, String> keys = new TreeMap<>();
    for (Path run : runs(results)) {
      String record = Files.readString(run.resolve("record.json"), UTF_8);
      assertThat(record).contains("\"completed\"").doesNotContain("\"failed\"");
      Matcher key = KEY.matcher(record);
      assertThat(key.find()).isTrue();
      keys.put(run.getFileName().toString(), key.group());
    }
    return keys;
  }

  private static List<Path> runs(Path results) throws IOException {
    try (Stream<Path> runs = Files.list(results.resolve("runs"))) {
      // The no-op engine shows what the harness reaches; that is asked as often as it is needed.
      return runs.filter(each -> !each.getFileName().toString().startsWith("noop.")).toList();
    }
  }
}
