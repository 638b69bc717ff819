package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure is reported in its run, in the engine's own words, and the others go on. */
class FaultsIT extends InstalledKvrank {

  @Test
  void aServerThatHangsFromTheWarmUpOnCompletesNothing() throws Exception {
    // Its silence lasts longer than the warm-up and what is measured.
    faulty("hung", "timeout-millis: 6000", "warmup: 5s");
    Execution execution = kvrank("run", "hung");
    execution.await("the warm-up", () -> began("hung", "redis.r1", "get"));
    long redis = server(execution).pid();
    shell("kill -STOP " + redis);

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record("hung", "redis.r1"))
        .contains("in the warm-up", "no answer within 6000 ms")
        .doesNotContain("set-get");
    assertThat(record("hung", "rocksdb.r1")).contains("\"completed\"").doesNotContain("\"failed\"");
    assertNothingLeft();
  }

  @Test
  void aLoadBeyondItsTimeLimitIsTimedOut() throws Exception {
    scenario(
        "slow",
        """
        question: What happens?
        engines: [rocksdb]
        fsync: off
        records: 20000
        phases: [{workload: load, rate: 1_000, time-limit: 2s}, get]
        measure: {warmup: 0s, duration: 100ms}
        repetitions: 1
        """);
    Execution execution = kvrank("run", "slow");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text())
        .contains("rocksdb.r1 timed out: in phase load: it was not done within 2 s");
    assertThat(record("slow", "rocksdb.r1")).doesNotContain("\"get\"");
    assertNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "rocksdb"})
  void whatStoodStillAltogetherIsNotTheEnginesDoing(String engine) throws Exception {
    faulty("still", "timeout-millis: 6000", "warmup: 10ms, duration: 4s");
    Execution execution = kvrank("run", "still", "--engines", engine);
    execution.await("the measured stretch", () -> measured("still", engine + ".r1", "get"));
    List<ProcessHandle> all =
        Stream.concat(Stream.of(execution.process().toHandle()), execution.process().descendants())
            .toList();
    signal("STOP", all);
    Thread.sleep(2_000);
    signal("CONT", all);

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(execution.text())
        .contains("in phase get: kvrank's worker stood still for ", " s of ")
        .contains("the engine did not cause this; 'run --resume' repeats the run");
    assertThat(record("still", engine + ".r1"))
        .contains("\"cause\" : \"machine\"", "\"standstill.workerNanos\"");

    Execution resumed = kvrank("run", "--resume", "still");
    assertThat(resumed.status()).as(resumed.text()).isZero();
    assertNothingLeft();
  }

  @Test
  void aSignalToItsGroupThatKvrankIgnoresDoesNotEndItsServer() throws Exception {
    faulty("group", "timeout-millis: 6000", "warmup: 4s, rate: 2_000");
    Path said = home.resolve("said.txt");
    // What a script starts in the background ignores SIGINT, and a server has a handler of its own.
    String script = "trap : INT; ./kvrank run group --engines redis --no-wait & wait $!; wait $!";
    Execution execution =
        new Execution(
            Execution.withLock(new ProcessBuilder("setsid", "sh", "-c", script))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start(),
            said,
            said);
    execution.await("the warm-up", () -> began("group", "redis.r1", "get"));
    shell("env kill -INT -- -" + execution.process().pid());

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(record("group", "redis.r1")).contains("\"completed\"").doesNotContain("\"failed\"");
    assertNothingLeft();
  }

  @Test
  void anInterruptBeforeTheFirstRunSaysThatNothingWasStarted() throws Exception {
    Execution execution = run("early", "timeout-millis: 6000");
    execution.await("its question", () -> execution.text().contains("What happens?"));
    shell("kill -TERM " + execution.process().pid());

    assertThat(execution.status()).as(execution.text()).isEqualTo(143);
    assertThat(execution.text()).contains("kvrank: interrupted; ");
    assertNothingLeft();
  }

  /** One of them may have ended since they were listed, of which kill complains. */
  private static void signal(String name, List<ProcessHandle> processes) throws Exception {
    List<String> command = new ArrayList<>(List.of("env", "kill", "-" + name));
    processes.forEach(each -> command.add(Long.toString(each.pid())));
    new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static void shell(String command) throws Exception {
    assertThat(new ProcessBuilder("sh", "-c", command).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void whatTheEngineSaysOfItsErrorsIsTheOutcome() throws Exception {
    Execution execution = run("full", "maxmemory: 2mb");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record("full", "redis.r1"))
        .contains("of insert: 127.0.0.1:", "OOM command not allowed when used memory > 'maxmemory'")
        .containsPattern("\\(x\\d+\\)");
    assertThat(record("full", "rocksdb.r1")).contains("\"completed\"").doesNotContain("\"failed\"");
    assertNothingLeft();
  }

  @Test
  void aFullDiskUnderTheResultsIsSaidAndNoStackTrace() throws Exception {
    Path disk = Files.createDirectory(home.resolve("results"));
    String tmpfs = "mount -t tmpfs -o size=100m none " + disk;
    if (new ProcessBuilder(tmpfs.split(" ", -1)).inheritIO().start().waitFor() != 0) {
      String reason = "SKIPPED: no disk is filled: only root can run '%s'".formatted(tmpfs);
      System.out.println(reason);
      abort(reason);
    }
    try {
      faulty("disk", "timeout-millis: 6000", "warmup: 5s, rate: 2_000");
      Execution execution = kvrank("run", "disk");
      execution.await("the warm-up", () -> began("disk", "redis.r1", "get"));
      for (int block = 1 << 20; block >= 4096; block /= 4) {
        try (OutputStream fill = Files.newOutputStream(disk.resolve("fill-" + block))) {
          while (true) {
            fill.write(new byte[block]);
          }
        } catch (IOException full) {
          assertThat(disk.toFile().getUsableSpace()).isLessThan(block);
        }
      }

      assertThat(execution.status()).as(execution.text()).isEqualTo(1);
      assertThat(execution.text())
          .contains("redis.r1 failed: ", "rocksdb.r1 ")
          .doesNotContain("Exception", "\tat ");
      assertNothingLeft();
    } finally {
      assertThat(new ProcessBuilder("umount", "-l", disk.toString()).inheritIO().start().waitFor())
          .isZero();
    }
  }

  @Test
  void aClockThatIsSetMeanwhileMakesNothingLonger() throws Exception {
    List<Path> libraries = List.of();
    if (Files.isDirectory(Path.of("/usr/lib"))) {
      try (Stream<Path> all =
          Files.find(Path.of("/usr/lib"), 3, (file, is) -> file.endsWith("libfaketimeMT.so.1"))) {
        libraries = all.toList();
      }
    }
    if (libraries.isEmpty()) {
      String reason = "SKIPPED: no clock is set: libfaketime is not installed";
      System.out.println(reason);
      abort(reason);
    }
    Path clock = Files.writeString(home.resolve("clock"), "+0");
    Map<String, String> faked =
        Map.of(
            "LD_PRELOAD", libraries.get(0).toString(),
            "FAKETIME_TIMESTAMP_FILE", clock.toString(),
            "FAKETIME_NO_CACHE", "1",
            "FAKETIME_DONT_FAKE_MONOTONIC", "1",
            // With that a JVM's waits do not end.
            "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    faulty("clock", "timeout-millis: 6000", "warmup: 1s, rate: 2_000");
    Execution execution = kvrank(faked, "run", "clock", "--engines", "rocksdb");
    execution.await("the warm-up", () -> began("clock", "rocksdb.r1", "get"));
    Files.writeString(clock, "+86400");
    execution.await("the next phase", () -> began("clock", "rocksdb.r1", "set-get"));
    Files.writeString(clock, "-86400");

    assertThat(execution.status()).as(execution.text()).isZero();
    String record = record("clock", "rocksdb.r1");
    Duration length = Duration.between(instant(record, "started"), instant(record, "ended"));
    assertThat(length).isBetween(Duration.ZERO, Duration.ofHours(1));
    List<String> log = Files.readAllLines(runFolder("clock", "rocksdb.r1").resolve("latency.hlog"));
    assertThat(log.stream().filter(line -> line.startsWith("Tag=")))
        .isNotEmpty()
        .allSatisfy(
            line -> assertThat(Double.parseDouble(line.split(",", -1)[2])).isBetween(0.0, 3600.0));
    assertNothingLeft();
  }

  private static Instant instant(String record, String name) {
    Matcher value = Pattern.compile("\"" + name + "\" : \"([^\"]+)\"").matcher(record);
    assertThat(value.find()).isTrue();
    return Instant.parse(value.group(1));
  }

  private Execution run(String name, String option) throws IOException {
    faulty(name, option, "warmup: 1s, rate: 2_000");
    return kvrank("run", name);
  }

  /** Writes a scenario with settings of the phase {@code get}, in which the fault comes. */
  private void faulty(String name, String option, String settings) throws IOException {
    scenario(
        name,
        """
        question: What happens?
        engines: [{engine: redis, server: {bundled: true}, options: {%s}}, rocksdb]
        fsync: off
        records: 20000
        threads: 2
        phases: [load, {workload: get, %s}, set-get]
        measure: {warmup: 0s, duration: 500ms}
        repetitions: 1
        """
            .formatted(option, settings));
  }

  private boolean began(String scenario, String run, String phase) {
    try {
      return Files.readString(runFolder(scenario, run).resolve("resources.csv"))
          .contains("\n" + phase + ",");
    } catch (IOException notYet) {
      return false;
    }
  }

  /**
   * Returns whether the first second of a phase is over: it may begin long after it was asked for.
   */
  private boolean measured(String scenario, String run, String phase) {
    try {
      return Files.readString(runFolder(scenario, run).resolve("timeline.csv"))
          .contains("\n" + phase + ",");
    } catch (IOException notYet) {
      return false;
    }
  }

  private static ProcessHandle server(Execution execution) {
    List<ProcessHandle> all =
        execution
            .process()
            .descendants()
            .filter(each -> each.info().command().orElse("").contains("redis-server"))
            .toList();
    assertThat(all).hasSize(1);
    return all.get(0);
  }
}
