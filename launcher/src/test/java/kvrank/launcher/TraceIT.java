package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvrank.workload.trace.Replay;
import kvrank.workload.trace.TraceRequests;
import org.junit.jupiter.api.Test;

/** A trace from the lines of MONITOR to results of several engines. */
class TraceIT extends InstalledKvrank {

  private static final int REQUESTS = 30_000;

  /** Parts of every key and value, which no file of kvrank may have. */
  private static final String IN_KEYS = "ann@example.org";

  private static final String IN_VALUES = "hunter2-";

  private static final Pattern COUNT =
      Pattern.compile(
          "\"(read|insert|update|delete)\" : \\{\\s*\"ok\" : (\\d+)[^}]*?Found\" : (\\d+)");

  /** Reads, writes and deletes of 3,000 keys in 0.6 s. */
  private Path recorded() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      double draw = random.nextDouble();
      String key = IN_KEYS + ":" + (int) (draw * draw * 3_000);
      int kind = random.nextInt(20);
      String command =
          kind == 0
              ? "\"del\" \"%s\"".formatted(key)
              : kind < 5
                  ? "\"SET\" \"%s\" \"%s\"".formatted(key, IN_VALUES.repeat(random.nextInt(2, 40)))
                  : "\"GET\" \"%s\"".formatted(key);
      lines.add(
          String.format(
              Locale.ROOT, "1700000000.%06d [0 127.0.0.1:6] %s", i * 600_000L / REQUESTS, command));
    }
    return Files.write(home.resolve("monitor.txt"), lines);
  }

  private void trace() throws Exception {
    Execution execution = kvrank("trace", "import", recorded().toString(), "-o", "some.trace");
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(execution.text()).startsWith("some.trace: 30,000 requests for ");
  }

  private static List<String> digests(Path run) throws Exception {
    Process process =
        new ProcessBuilder(
                "java",
                "-cp",
                PROJECT.resolve("worker/target/classes")
                    + ":"
                    + PROJECT.resolve("worker/target/lib/*"),
                "kvrank.worker.StreamDigest",
                run.resolve("worker.properties").toString(),
                String.valueOf(REQUESTS))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().toList();
  }

  /** How many requests of each operation were answered, found or not. */
  private List<String> answers(String scenario, String run) throws IOException {
    String record = record(scenario, run);
    assertThat(record).contains("\"status\" : \"completed\"");
    Matcher matcher = COUNT.matcher(record);
    List<String> answers = new ArrayList<>();
    while (matcher.find()) {
      if (matcher.group(1).equals("delete")) {
        // RocksDB does not report whether a deleted record existed.
        long deletes = Long.parseLong(matcher.group(2)) + Long.parseLong(matcher.group(3));
        answers.add("delete " + deletes + "+0");
        continue;
      }
      answers.add(matcher.group(1) + " " + matcher.group(2) + "+" + matcher.group(3));
    }
    return answers;
  }

  @Test
  void enginesAreAskedTheSameAndAnswerTheSame() throws Exception {
    trace();
    scenario(
        "replay",
        """
        question: Which engine is fastest at what was recorded?
        engines: [rocksdb, {engine: redis, server: {bundled: true}}]
        fsync: off
        verify: values
        threads: 2
        repetitions: 1
        phases: [{trace: ../some.trace}]
        """);
    Execution execution = kvrank("run", "replay");
    assertThat(execution.status()).as(execution.text()).isZero();
    List<String> ofRedis = digests(runFolder("replay", "redis.r1"));
    assertThat(ofRedis).hasSize(4).isEqualTo(digests(runFolder("replay", "rocksdb.r1")));
    List<String> answers = answers("replay", "redis.r1");
    assertThat(answers).hasSize(5).isEqualTo(answers("replay", "rocksdb.r1"));
    long all =
        answers.stream()
            .skip(1)
            .flatMap(each -> Stream.of(each.replaceFirst(".* ", "").split("\\+", -1)))
            .mapToLong(Long::parseLong)
            .sum();
    assertThat(all).isEqualTo(REQUESTS);
    assertNothingLeft();
    assertNoSecrets(execution);
  }

  @Test
  void theClockIsTheRecordedOneAndKeysAreASample() throws Exception {
    trace();
    scenario(
        "clock",
        """
        question: How long do answers take at the recorded times?
        engines: [rocksdb]
        fsync: off
        repetitions: 1
        phases: [{trace: ../some.trace, clock: recorded, keys: 1/10}]
        """);
    Execution execution = kvrank("run", "clock");
    assertThat(execution.status()).as(execution.text()).isZero();
    String record = record("clock", "rocksdb.r1");
    assertThat(record).contains("\"rate.unsent\" : \"0\"", "\"trace.late\"");
    Matcher elapsed = Pattern.compile("\"elapsedNanos\" : (\\d+)").matcher(record);
    List<Long> nanos = new ArrayList<>();
    while (elapsed.find()) {
      nanos.add(Long.valueOf(elapsed.group(1)));
    }
    assertThat(nanos.get(nanos.size() - 1)).isGreaterThanOrEqualTo(580_000_000L);
    // The scenario in the results can be run again, but only with that trace.
    assertThat(kvrank("validate", latest("clock").resolve("scenario.yaml").toString()).status())
        .isZero();
    Files.writeString(home.resolve("some.trace"), "changed");
    execution = kvrank("run", "clock");
    assertThat(execution.status()).isEqualTo(2);
    assertThat(execution.text()).contains("phases[0].trace", "is not a kvrank trace");
  }

  /** Half of the writes live a second; each key is read until 4 s after it was written. */
  @Test
  void whatIsWrittenLivesAsLongAsTheTraceSays() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      lines.add("100,%s:%d,20,50,1,set,%d".formatted(IN_KEYS, i, i % 2));
    }
    for (int i = 0; i < 4_000; i++) {
      lines.add("%d,%s:%d,20,50,1,get,0".formatted(101 + i / 1_000, IN_KEYS, i % 200));
    }
    Files.write(home.resolve("cluster.csv"), lines);
    Execution execution = kvrank("trace", "import", "cluster.csv", "-o", "some.trace");
    assertThat(execution.status()).as(execution.text()).isZero();
    scenario(
        "lives",
        """
        question: Which engine forgets in time?
        engines: [rocksdb, caffeine, {engine: redis, server: {bundled: true}}]
        fsync: none
        verify: values
        threads: 2
        repetitions: 1
        phases: [{trace: ../some.trace, clock: recorded}]
        """);
    execution = kvrank("run", "lives");
    assertThat(execution.status()).as(execution.text()).isZero();
    assertThat(record("lives", "rocksdb.r1")).contains("rocksdb has no ttl: RocksDB's is one time");
    List<String> digests = digests(runFolder("lives", "redis.r1"));
    assertThat(digests).hasSize(2).isEqualTo(digests(runFolder("lives", "caffeine.r1")));
    for (String run : List.of("redis.r1", "caffeine.r1")) {
      assertThat(record("lives", run)).contains("\"stale.reads\" : \"0\"");
      Matcher misses =
          Pattern.compile("\"reads.misses\" : \"(\\d+)\"").matcher(record("lives", run));
      assertThat(misses.find()).isTrue();
      // Of 2,000 reads of those that go, 500 are in the second in which they may be there.
      assertThat(Long.parseLong(misses.group(1))).as(run).isBetween(1_450L, 2_000L);
    }
    assertNothingLeft();
  }

  /**
   * Redis's clock ticks in seconds. Among the keys of one second, such as those of the load, it
   * evicts at random, so the trace is long enough for what they are to matter little.
   */
  @Test
  void redisHitsAsOftenAsLeastRecentlyUsedWould() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    int reads = 300_000;
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < reads; i++) {
      int key = (int) Math.pow(20_000, random.nextDouble());
      lines.add("%d,key:%d,20,1000,1,get,0".formatted(i / 12_000, key));
    }
    Files.write(home.resolve("cluster.csv"), lines);
    Execution execution = kvrank("trace", "import", "twitter", "cluster.csv", "-o", "some.trace");
    assertThat(execution.status()).as(execution.text()).isZero();
    Replay replay = Replay.of(home.resolve("some.trace"), 0, 1, 1).replay();
    for (String before : List.of("trace", "none")) {
      boolean warm = before.equals("trace");
      scenario(
          "lru-" + before,
          """
          question: Does Redis give up what was least recently used?
          engines: [{engine: redis, server: {bundled: true}, options: {maxmemory-samples: 10}}]
          fsync: none
          maxmemory: 8MiB
          repetitions: 1
          phases: [{trace: ../some.trace, clock: recorded, misses: fill, before: %s}]
          """
              .formatted(before));
      execution = kvrank("run", "lru-" + before);
      assertThat(execution.status()).as(execution.text()).isZero();
      String record = record("lru-" + before, "redis.r1");
      double hits = number(record, "reads.hits");
      double misses = number(record, "reads.misses");
      assertThat(hits + misses).isEqualTo(reads);
      long loaded = warm ? replay.loaded() : 0;
      int there = (int) (loaded + misses - number(record, "engine.evicted_keys"));
      double simulated = leastRecentlyUsed(replay, there, warm);
      System.out.printf(
          "before: %s, %d records: Redis hits %.4f, LRU %.4f%n",
          before, there, hits / reads, simulated);
      assertThat(hits / reads).isCloseTo(simulated, within(0.01));
    }
    assertNothingLeft();
  }

  private static double number(String record, String fact) {
    Matcher number = Pattern.compile("\"" + fact + "\" : \"(\\d+)\"").matcher(record);
    double last = -1;
    while (number.find()) {
      last = Double.parseDouble(number.group(1));
    }
    assertThat(last).as(fact).isNotNegative();
    return last;
  }

  /** The hit ratio of a cache of that many records, after the load if it starts warm. */
  private static double leastRecentlyUsed(Replay replay, int capacity, boolean warm)
      throws IOException {
    Map<Long, Boolean> cache =
        new LinkedHashMap<>(capacity, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > capacity;
          }
        };
    try (TraceRequests loads = TraceRequests.load(replay);
        TraceRequests reads = TraceRequests.of(replay)) {
      while (warm && loads.next(1)) {
        cache.put(loads.id(0), true);
      }
      double hits = 0;
      while (reads.next(1)) {
        hits += cache.get(reads.id(0)) == null ? 0 : 1;
        cache.put(reads.id(0), true);
      }
      return hits / replay.requests();
    }
  }

  @Test
  void aTraceIsShownAndFitted() throws Exception {
    trace();
    Execution shown = kvrank("trace", "show", "some.trace");
    assertThat(shown.status()).as(shown.text()).isZero();
    assertThat(shown.text())
        .contains("requests    30,000", "source      monitor", "LRU cache", "read 74.98 %");
    Execution fitted = kvrank("trace", "fit", "some.trace", "-o", "workloads/fitted.yaml");
    assertThat(fitted.status()).as(fitted.text()).isZero();
    scenario(
        "fitted",
        """
        question: Which engine is fastest at what is like the trace?
        engines: [rocksdb]
        fsync: off
        records: 3000
        repetitions: 1
        measure: {warmup: 0s, duration: 200ms}
        phases: [load, fitted]
        """);
    Execution execution = kvrank("run", "fitted");
    assertThat(execution.status()).as(execution.text()).isZero();
    assertNoSecrets(shown, fitted, execution);
  }

  private void assertNoSecrets(Execution... executions) throws IOException {
    for (Execution execution : executions) {
      assertThat(execution.text()).doesNotContain(IN_KEYS, IN_VALUES);
    }
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file :
          files.filter(Files::isRegularFile).filter(f -> !f.endsWith("monitor.txt")).toList()) {
        if (!file.startsWith(home.resolve("bindings"))) {
          assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
              .as(file.toString())
              .doesNotContain(IN_KEYS, IN_VALUES);
        }
      }
    }
  }
}
