package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.machine.MemoryGroup;
import org.junit.jupiter.api.Test;

/** The program as its user starts it, with real engines. */
class EndToEndIT extends InstalledKvrank {

  @Test
  void ranksTwoEnginesAndLeavesNothingBehind() throws Exception {
    measureCeilings();
    scenario("two", "[{engine: redis, server: {bundled: true}}, rocksdb]", "[zipfian, delete]");

    Execution execution = kvrank("run", "two");

    assertThat(execution.status()).as(execution.text()).isZero();
    Path latest = latest("two");
    assertThat(latest.resolve("report/rankings.md")).content().contains("redis", "rocksdb");
    assertThat(latest.resolve("report/rankings.csv")).isNotEmptyFile();
    assertThat(latest.resolve("report/summary.json")).content().contains("\"latencyNanos\"");
    assertThat(latest.resolve("runs/redis.r1/latency.hlog")).isNotEmptyFile();
    assertThat(latest.resolve("runs/redis.r1/server.log")).isNotEmptyFile();
    assertThat(latest.resolve("runs/rocksdb.r1/record.json"))
        .content()
        .contains("\"status\" : \"completed\"", "harness.ceiling", "harness.residentBytes")
        .contains("engine.write-amplification", "footprint.closedBytes");
    assertThat(latest.resolve("runs/redis.r1/record.json"))
        .content()
        .contains("engine.used_memory", "memory.emptyBytes", "others.cpuShare");
    assertThat(latest.resolve("report/rankings.csv"))
        .content()
        .contains(",memory,", ",space-amplification,", ",write-amplification,");
    assertThat(latest.resolve("runs/noop.ceiling/record.json")).exists();
    assertNothingLeft();
  }

  /** Where Arabic is the language, tables and files had Arabic digits. */
  @Test
  void numbersAreTheSameInEveryLanguage() throws Exception {
    scenario("arabic", "[h2-mvstore]", "[get]");
    Map<String, String> arabic =
        Map.of("JDK_JAVA_OPTIONS", "-Duser.language=ar -Duser.country=EG -Djava.io.tmpdir=" + home);

    Execution execution = kvrank(arabic, "run", "arabic");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(execution.text()).contains("[1/1] h2-mvstore.r1 completed").doesNotContain("٠", "١");
    assertThat(latest("arabic").resolve("report/rankings.csv"))
        .content()
        .contains(",throughput,1/s,")
        .doesNotContain("٠", "١");
  }

  @Test
  void anEngineThatNeedsMoreThanItsMemoryIsKilledAlone() throws Exception {
    Optional<String> problem = MemoryGroup.problem();
    if (problem.isPresent()) {
      System.out.println("SKIPPED: limits of memory: " + problem.get());
      abort(problem.get());
    }
    measureCeilings();
    scenario("memory", "[{engine: redis, server: {bundled: true}}, noop]", "[get]");
    List<String> large = List.of("memory=256MiB", "records=3000", "value-bytes=128KiB", "batch=10");
    List<String> arguments = new ArrayList<>(List.of("run", "memory"));
    large.forEach(each -> arguments.addAll(List.of("--set", each)));

    Execution execution = kvrank(arguments.toArray(String[]::new));

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    Path runs = latest("memory").resolve("runs");
    assertThat(runs.resolve("redis.r1/record.json"))
        .content()
        .contains("\"failed\"", "killed by the memory limit of 256MiB: redis was killed by SIGKILL")
        .contains("\"cause\" : \"engine\"")
        .contains("\"memory.kills\" : \"1\"");
    assertThat(runs.resolve("noop.r1/record.json"))
        .content()
        .contains("\"completed\"", "-Xmx128m", "\"memory.limitBytes\" : \"268435456\"")
        .contains("\"memory.kills\" : \"0\"");
    assertNothingLeft();
  }

  @Test
  void anOptionIsAFactorOfItsEngineAlone() throws Exception {
    scenario(
        "options",
        "[{engine: redis, server: {bundled: true}, options: {io-threads: [1, 2]}}, rocksdb]",
        "[get]");

    Execution execution = kvrank("run", "options");

    assertThat(execution.status()).as(execution.text()).isZero();
    Path latest = latest("options");
    for (String threads : List.of("1", "2")) {
      assertThat(latest.resolve("runs/redis.io-threads-%s.r1/record.json".formatted(threads)))
          .content()
          .contains("\"io-threads\" : \"%s\"".formatted(threads))
          .contains("setting.io-threads\" : \"%s\"".formatted(threads));
    }
    assertThat(latest.resolve("report/rankings.md"))
        .content()
        .contains("| redis io-threads=1", "| redis io-threads=2", "| rocksdb");
    Execution again = kvrank("run", "--resume", "options");
    assertThat(again.status()).as(again.text()).isZero();
    assertThat(again.text()).contains("redis.io-threads-2.r1 is already done");
    assertNothingLeft();
  }

  /** A fast engine deletes and inserts more in the same time. */
  @Test
  void everyPhaseBeginsWithTheSameRecordsOnEveryEngine() throws Exception {
    scenario(
        "same",
        "[{engine: redis, server: {bundled: true}}, rocksdb, h2-mvstore]",
        "[delete-heavy, latest, get]");

    Execution execution = kvrank("run", "same");

    assertThat(execution.status()).as(execution.text()).isZero();
    Pattern records = Pattern.compile("\"facts\" : \\{[^}]*\"records\" : \"(\\d+)\"");
    for (String engine : List.of("redis", "rocksdb", "h2-mvstore")) {
      Path runs = latest("same").resolve("runs");
      String record = Files.readString(runs.resolve(engine + ".r1/record.json"));
      List<Integer> ends =
          records.matcher(record).results().map(found -> Integer.valueOf(found.group(1))).toList();
      assertThat(ends).as("load, delete-heavy, latest and get on " + engine).hasSize(4);
      assertThat(ends.get(1)).as(engine).isBetween(1_980, 2_020);
      assertThat(ends.get(2)).as(engine).isGreaterThan(2_000);
      assertThat(List.of(ends.get(0), ends.get(3))).as(engine).containsOnly(2_000);
    }
  }

  @Test
  void containersAreMeasuredAtTheirOwnAddressAndRemoved() throws Exception {
    String redis = System.getenv("KVRANK_REDIS_IMAGE");
    String ignix = System.getenv("KVRANK_IGNIX_IMAGE");
    if (redis == null || ignix == null) {
      assertThat(System.getenv("KVRANK_REQUIRE_DOCKER"))
          .as("containers are required, but KVRANK_REDIS_IMAGE or KVRANK_IGNIX_IMAGE is not set")
          .isNotEqualTo("true");
      abort("no containers tested: KVRANK_REDIS_IMAGE and KVRANK_IGNIX_IMAGE name no images");
    }
    scenario(
        "containers",
        "[{engine: redis, server: {container: '%s'}}, {engine: ignix, server: {container: '%s'}}]"
            .formatted(redis, ignix),
        "[zipfian]");

    Execution execution = kvrank("run", "containers", "--allow-commands");

    assertThat(execution.status()).as(execution.text()).isZero();
    for (String run : List.of("redis.r1", "ignix.r1")) {
      assertThat(record("containers", run))
          .contains("\"completed\"", "\"way\" : \"container\"", "\"address\" : \"container\"")
          .contains("imageId");
    }
    String label = "label=kvrank.owner-pid=" + execution.process().pid();
    Process docker = new ProcessBuilder("docker", "ps", "-aq", "--filter", label).start();
    assertThat(docker.inputReader().lines()).as("containers that are left").isEmpty();
    assertNothingLeft();
  }

  @Test
  void killedServerFailsItsRunAloneAndLeavesNothingBehind() throws Exception {
    scenario("dead-server", "[{engine: redis, server: {bundled: true}}, rocksdb]", "[get]", "60s");

    Execution execution = kvrank("run", "dead-server", "--set", "operations=1000000");
    execution.await(
        "redis under load", () -> redis(execution).isPresent() && underLoad("dead-server"));
    redis(execution).orElseThrow().destroyForcibly();

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    Path runs = latest("dead-server").resolve("runs");
    assertThat(runs.resolve("redis.r1/record.json")).content().contains("\"failed\"", "SIGKILL");
    assertThat(runs.resolve("rocksdb.r1/record.json")).content().contains("\"completed\"");
    assertThat(execution.text()).contains("SIGKILL");
    assertNothingLeft();
  }

  @Test
  void crashInNativeCodeFailsItsRunAlone() throws Exception {
    Path libraries = PROJECT.resolve("bindings/go/target/native");
    try (Stream<Path> files = Files.walk(libraries)) {
      if (files.noneMatch(file -> file.endsWith("noop.so"))) {
        assertThat(System.getenv().getOrDefault("KVRANK_REQUIRE_ENGINES", ""))
            .as("the engines of Go are required, and not built")
            .doesNotContain("map");
        abort("no crash in native code: no library of Go is built in " + libraries);
      }
    }
    Path faulty = Files.createDirectory(home.resolve("bindings/faulty")).resolve("engine.yaml");
    Files.writeString(
        faulty,
        """
        description: Breaks at its first write.
        binding:
          class: kvrank.go.GoBinding
          module: go
          library: noop
          properties: {library: "${library}", dir: "${data}", fault: address}
        capabilities: [read, insert, update]
        fsync:
          on: {}
          off: {}
        embedded: true
        """);
    Path mistaken = Files.createDirectory(home.resolve("bindings/mistaken"));
    Files.writeString(
        mistaken.resolve("engine.yaml"),
        Files.readString(faulty).replace("off: {}", "off: {facts: {sync: \"true\"}}"));
    scenario(
        "crash",
        "[faulty, {engine: faulty, as: panics, options: {fault: goroutine}}, mistaken, rocksdb]",
        "[load]");

    Execution execution = kvrank("run", "crash");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    Path runs = latest("crash").resolve("runs");
    assertThat(runs.resolve("faulty.r1/record.json"))
        .content()
        .contains("\"failed\"", "was killed by signal 6", "fatal error: fault", "SIGSEGV")
        .contains("\"cause\" : \"engine\"");
    assertThat(runs.resolve("panics.r1/record.json"))
        .content()
        .contains("\"failed\"", "was killed by signal 6", "panic: deliberate");
    assertThat(runs.resolve("mistaken.r1/record.json"))
        .content()
        .contains("\"failed\"", "mistaken was asked for sync=true and does not report it");
    assertThat(runs.resolve("rocksdb.r1/record.json")).content().contains("\"completed\"");
    assertNothingLeft();
  }

  @Test
  void dataIsKeptWhereThatIsAsked() throws Exception {
    scenario("keep", "[{engine: redis, server: {bundled: true}}, rocksdb]", "[load]");
    for (String place : List.of("none", "elsewhere")) {
      String[] words = {"run", "keep", "--keep-data", "--set", "data=elsewhere"};
      int count = place.equals("none") ? 3 : words.length;
      Execution execution = kvrank(Arrays.copyOf(words, count));

      assertThat(execution.status()).as(execution.text()).isZero();
      List<Path> kept =
          Pattern.compile("its data is kept in (.+)")
              .matcher(execution.text())
              .results()
              .map(match -> home.resolve(match.group(1)))
              .toList();
      assertThat(kept).hasSize(2).allSatisfy(path -> assertThat(path).isNotEmptyDirectory());
      assertThat(record("keep", "rocksdb.r1")).contains("\"data.kept\" : \"");
    }
    assertThat(home.resolve("elsewhere")).isDirectoryContaining("glob:**-redis.r1");
  }

  @Test
  void interruptedExecutionLeavesNothingAndIsResumed() throws Exception {
    scenario("stop", "[{engine: redis, server: {bundled: true}}, rocksdb]", "[get]");

    Execution execution = kvrank("run", "stop", "--set", "duration=3s");
    execution.await("a run under load", () -> underLoad("stop"));
    List<ProcessHandle> started = execution.process().descendants().toList();
    execution.process().destroy();

    assertThat(execution.status()).as(execution.text()).isEqualTo(143);
    assertThat(execution.text()).contains("--resume");
    execution.await(
        "the end of its processes", () -> started.stream().noneMatch(ProcessHandle::isAlive));
    assertNothingLeft();

    Path results = latest("stop");
    Path scenario = results.resolve("scenario.yaml");
    String resolved = Files.readString(scenario, StandardCharsets.UTF_8);
    Files.writeString(scenario, resolved.replace("3s", "1s"));
    Execution refused = kvrank("run", "--resume", results.toString());
    assertThat(refused.status()).as(refused.text()).isEqualTo(2);
    assertThat(refused.text()).contains("duration was 3s, is 1s");

    Files.writeString(scenario, resolved);
    Execution resumed = kvrank("run", "--resume", "latest");
    assertThat(resumed.status()).as(resumed.text()).isZero();
    assertThat(results.resolve("runs/redis.r1/record.json")).exists();
    assertThat(results.resolve("runs/rocksdb.r1/record.json")).exists();
  }

  @Test
  void executionThatMavenStartedEndsWithMaven() throws Exception {
    scenario("orphan", "[{engine: redis, server: {bundled: true}}]", "[get]", "59s");
    ProcessBuilder parent =
        Execution.withLock(new ProcessBuilder("sh", "-c", "./kvrank run orphan --no-wait & wait"))
            .directory(home.toFile());
    parent.environment().put("KVRANK_END_WITH_PARENT", "true");
    parent.redirectErrorStream(true).redirectOutput(home.resolve("orphan.txt").toFile());
    Execution execution =
        new Execution(parent.start(), home.resolve("orphan.txt"), home.resolve("orphan.txt"));
    execution.await("a run under load", () -> underLoad("orphan"));
    List<ProcessHandle> started = execution.process().descendants().toList();

    Execution.oneAtATime(
        () -> {
          execution.process().destroyForcibly();
          execution.await(
              "the end of its processes", () -> started.stream().noneMatch(ProcessHandle::isAlive));
        });
    assertNothingLeft();
  }

  @Test
  void reportsEveryMistakeAndStartsNothing() throws Exception {
    scenario(
        "wrong",
        """
        question: What is wrong here?
        engines: [redsi, rocksdb]
        fsync: perhaps
        recods: 1000
        threads: none
        phases: [zipfain]
        repetitions: 0
        """);

    Execution execution = kvrank("run", "wrong");

    assertThat(execution.status()).as(execution.text()).isEqualTo(2);
    assertThat(execution.text())
        .contains("wrong.yaml:2:11: ", "did you mean 'redis'?")
        .contains("wrong.yaml:3:8: ")
        .contains("wrong.yaml:4:1: ", "did you mean 'records'?")
        .contains("wrong.yaml:5:10: ")
        .contains("wrong.yaml:6:10: ", "did you mean 'zipfian'?")
        .contains("wrong.yaml:7:14: ")
        .contains("6 problems");
    assertThat(home.resolve("results")).doesNotExist();
  }

  @Test
  void unknownScenarioListsTheScenarios() throws Exception {
    Execution execution = kvrank("run", "nonsense");

    assertThat(execution.status()).isEqualTo(2);
    assertThat(execution.text()).contains("nonsense", "quick", "ssd-fsync", "ssd-nofsync");
  }

  @Test
  void oneFileAddsWorkloadAndOneFileAddsEngine() throws Exception {
    Files.writeString(
        home.resolve("workloads/mine.yaml"),
        """
        description: Half reads, half updates, of a few hot keys.
        operations: {read: 1, update: 1}
        keys: {distribution: hotspot}
        """);
    Files.createDirectory(home.resolve("bindings/redis-small"));
    String redis =
        Files.readString(PROJECT.resolve("bindings/redis/engine.yaml"), StandardCharsets.UTF_8);
    Files.writeString(
        home.resolve("bindings/redis-small/engine.yaml"),
        redis
            .replace("target/bundled", "../redis/target/bundled")
            .replaceAll("(?m)^settings:.*$", "$0\n  hz: 1")
            .replaceAll("(?m)^( *)class: kvrank.redis.RedisBinding.*$", "$0\n$1module: redis"));
    scenario(
        "mine",
        "[{engine: redis, server: {bundled: true}}, {engine: redis-small, server: {bundled: true}}]",
        "[mine]");

    Execution execution = kvrank("run", "mine");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(latest("mine").resolve("report/rankings.md"))
        .content()
        .contains("redis-small", "mine");
  }

  @Test
  void unavailableAndUnsupportedEnginesAreSaidAndAreNoFailure() throws Exception {
    scenario(
        "some",
        "[{engine: redis, as: nowhere, server: {process: /nonexistent/redis-server}}, ssdb, rocksdb]",
        "[get]");

    Execution execution = kvrank("run", "some", "--set", "fsync=on", "--allow-commands");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(execution.text()).contains("/nonexistent/redis-server", "SSDB has no fsync");
    Path runs = latest("some").resolve("runs");
    assertThat(runs.resolve("nowhere.r1/record.json")).content().contains("\"unavailable\"");
    assertThat(runs.resolve("ssdb.r1/record.json")).content().contains("\"unsupported\"");

    Execution strict =
        kvrank("run", "some", "--set", "fsync=on", "--allow-commands", "--require-all");
    assertThat(strict.status()).as(strict.text()).isEqualTo(1);
    assertThat(strict.text()).contains("nothing was started");
  }

  @Test
  void searchesSayNothingOfRatesThatTheyCannotTell() throws Exception {
    scenario(
        "search",
        "[rocksdb]",
        """
        [{workload: get, as: slowest, search: {metric: read.max, below: 60s}},
         {workload: get, as: few, search: {metric: read.p9999, below: 60s}},
         {workload: get, as: never, search: {metric: read.p99, below: 1us}}]"""
            .replace("\n", ""),
        "50ms");

    Execution execution = kvrank("run", "search");

    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(record("search", "rocksdb.r1"))
        .contains("search.rate", "\"evidence\" : \"max ", "bound-not-met")
        .doesNotContain("\"undetermined\"");
  }

  @Test
  void brokenRecordIsNamedAndTheOthersAreReported() throws Exception {
    scenario("broken", "[{engine: redis, server: {bundled: true}}, rocksdb]", "[get]");
    Execution execution = kvrank("run", "broken");
    assertThat(execution.status()).as(execution.text()).isZero();
    Path latest = latest("broken");
    Files.writeString(latest.resolve("runs/redis.r1/record.json"), "{\"schema\": \"1.0\", ");

    Execution report = kvrank("report", latest.toString());

    assertThat(report.status()).as(report.text()).isZero();
    assertThat(report.text()).contains("redis.r1", "record.json", "rocksdb");
  }

  @Test
  void listsEnginesAndPlans() throws Exception {
    Execution engines = kvrank("engines");
    assertThat(engines.status()).as(engines.text()).isZero();
    assertThat(engines.text()).contains("redis", "kvrocks", "ssdb", "ignix", "rocksdb", "embedded");

    Execution plan = kvrank("plan", "ssd-fsync");
    assertThat(plan.status()).as(plan.text()).isZero();
    assertThat(plan.text()).contains("SSDB has no fsync", "rocksdb", "about");
  }

  private void scenario(String name, String engines, String phases) throws IOException {
    scenario(name, engines, phases, "300ms");
  }

  private void scenario(String name, String engines, String phases, String duration)
      throws IOException {
    scenario(
        name,
        """
        question: Does the program work?
        engines: %s
        fsync: off
        records: 2_000
        phases: %s
        measure: {warmup: 0s, duration: %s}
        repetitions: 1
        """
            .formatted(engines, phases, duration));
  }

  private static Optional<ProcessHandle> redis(Execution execution) {
    return execution
        .process()
        .descendants()
        .filter(handle -> handle.info().command().orElse("").contains("redis-server"))
        .findFirst();
  }

  /** Whether a worker of the scenario's execution has begun with a phase. */
  private boolean underLoad(String scenario) {
    try (Stream<Path> files = Files.walk(home.resolve("results").resolve(scenario))) {
      return files.anyMatch(
          file ->
              file.endsWith("timeline.csv")
                  && file.getParent().toFile().list((d, n) -> n.equals("record.json")).length == 0);
    } catch (IOException | UncheckedIOException e) {
      return false; // the folder is not there yet, or a temporary file of it went during the walk
    }
  }
}
