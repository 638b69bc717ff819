package kvrank.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvrank.worker.protocol.WorkerPhase;
import kvrank.worker.protocol.WorkerSpec;
import kvrank.workload.RequestPlan;
import kvrank.workload.request.Requests;
import org.junit.jupiter.api.Test;

/** Engines as caches: memory that does not hold all, times to live, misses that are filled. */
class CacheIT extends InstalledKvrank {

  private static final String REDIS = "{engine: redis, server: {bundled: true}%s}";

  private void cache(
      String name, String engines, String settings, String workload, String... ofPhase)
      throws Exception {
    scenario(
        name,
        """
        question: What does a cache do?
        engines: [%s]
        fsync: none
        repetitions: 1
        %s
        phases:
          - as: cache
            workload: {description: A cache., keys: {distribution: zipfian}, %s}
            %s
        """
            .formatted(engines, settings, workload, String.join("", ofPhase)));
  }

  private long number(String scenario, String run, String fact) throws Exception {
    Pattern number = Pattern.compile("\"" + Pattern.quote(fact) + "\" : \"?(\\d+)");
    Matcher found = number.matcher(record(scenario, run));
    long last = -1;
    while (found.find()) {
      last = Long.parseLong(found.group(1));
    }
    assertThat(last).as(fact).isNotNegative();
    return last;
  }

  private double missed(String scenario, String run) throws Exception {
    double misses = number(scenario, run, "reads.misses");
    return misses / (misses + number(scenario, run, "reads.hits"));
  }

  @Test
  void cachesGiveUpWhatTheirMemoryDoesNotHold() throws Exception {
    cache(
        "half",
        REDIS.formatted("") + ", caffeine, rocksdb",
        "records: 20_000\nvalue-bytes: 1000\nmaxmemory: 10MiB\n"
            + "measure: {warmup: 300ms, duration: 1s}",
        "operations: {read: 1}, misses: fill");

    Execution execution = kvrank("run", "half");

    assertThat(execution.status()).as(execution.text()).isZero();
    for (String run : new String[] {"redis.r1", "caffeine.r1"}) {
      assertThat(number("half", run, "reads.misses")).as(run).isPositive();
      assertThat(number("half", run, "sample")).as(run).isBetween(1L, 999L);
      assertThat(record("half", run)).contains("\"fill\" : {", "\"hits.level\" : ");
    }
    assertThat(number("half", "redis.r1", "engine.evicted_keys")).isPositive();
    assertThat(record("half", "rocksdb.r1"))
        .contains("maxmemory: the engine does not evict records");
    assertThat(latest("half").resolve("report/rankings.csv")).content().contains(",hit-ratio,");
    assertNothingLeft();
  }

  @Test
  void aCacheThatRefusesToGiveUpRecordsIsNotRanked() throws Exception {
    cache(
        "full",
        REDIS.formatted(", options: {maxmemory-policy: noeviction}"),
        "records: 20_000\nvalue-bytes: 1000\nmaxmemory: 10MiB\nmeasure: {duration: 1s}",
        "operations: {read: 1}, misses: fill");

    Execution execution = kvrank("run", "full");

    assertThat(execution.status()).as(execution.text()).isEqualTo(1);
    assertThat(record("full", "redis.r1")).contains("\"failed\"", "OOM command not allowed");
    assertNothingLeft();
  }

  @Test
  void recordsAreForgottenAfterTheirTimeToLive() throws Exception {
    cache(
        "ttl",
        REDIS.formatted("") + ", caffeine, rocksdb",
        "records: 2_000\nmeasure: {warmup: 3s, duration: 1s}\nrate: 2_000",
        "operations: {read: 1}, ttl: {share: 0.5, seconds: 1}");

    Execution execution = kvrank("run", "ttl");

    assertThat(execution.status()).as(execution.text()).isZero();
    for (String run : new String[] {"redis.r1", "caffeine.r1"}) {
      assertThat(number("ttl", run, "reads.misses")).as(run).isPositive();
      assertThat(number("ttl", run, "stale.reads")).as(run).isZero();
    }
    // Both forget the same records, however far they get with what is asked of them.
    assertThat(missed("ttl", "redis.r1")).isCloseTo(missed("ttl", "caffeine.r1"), within(0.03));
    assertThat(number("ttl", "redis.r1", "engine.expired_keys")).isPositive();
    for (String run : new String[] {"redis.r1", "caffeine.r1"}) {
      assertThat(expiredSpace("ttl", run)).as(run).isBetween(-0.001, 0.15);
    }
    assertThat(latest("ttl").resolve("report/rankings.csv")).content().contains(",expired-space,");
    assertThat(record("ttl", "rocksdb.r1")).contains("rocksdb has no ttl: RocksDB's is one time");
    assertNothingLeft();
  }

  private double expiredSpace(String scenario, String run) throws Exception {
    return 1
        - 1.0 * number(scenario, run, "alive.records") / number(scenario, run, "engine.records");
  }

  /** Without its cycle, Redis removes what has expired only if a client asks for it. */
  @Test
  void whatHasExpiredAndIsHeldIsCounted() throws Exception {
    try (RedisServer redis = RedisServer.start(home, "--enable-debug-command", "local")) {
      redis.ask("DEBUG", "SET-ACTIVE-EXPIRE", "0");
      cache(
          "held",
          "{engine: redis, server: {external: '%s'}}".formatted(redis.address()),
          "records: 5_000\nmeasure: {warmup: 3s, duration: 1s}",
          "operations: {read: 1}, ttl: {share: 0.5, seconds: 1}",
          "rate: 100");

      Execution execution = kvrank("run", "held", "--set", "fsync=as-is");

      assertThat(execution.status()).as(execution.text()).isZero();
      long removed = number("held", "redis.r1", "engine.expired_keys");
      // By up to half of the sample after the load, and by the reads: 500 and 400.
      assertThat(removed).isBetween(1L, 1_000L);
      assertThat(number("held", "redis.r1", "engine.records")).isEqualTo(5_000 - removed);
      assertThat(number("held", "redis.r1", "alive.sample")).isEqualTo(5_000);
      // Of the others half, but for the draw (three standard errors), have no time to live.
      assertThat(expiredSpace("held", "redis.r1"))
          .isCloseTo((2_500.0 - removed) / (5_000 - removed), within(0.025));
    }
  }

  /**
   * Redis draws a sample of keys for each that it gives up and its clock ticks in seconds, so the
   * run takes long enough for that clock to distinguish keys.
   */
  @Test
  void redisHitsAsOftenAsLeastRecentlyUsedWould() throws Exception {
    long reads = 150_000;
    cache(
        "lru",
        REDIS.formatted(", options: {maxmemory-samples: 10}"),
        "records: 20_000\nvalue-bytes: 1000\nmaxmemory: 12MiB\nrate: 12_000\n"
            + "measure: {warmup: 0s, operations: "
            + reads
            + "}",
        "operations: {read: 1}, misses: fill");

    Execution execution = kvrank("run", "lru");

    assertThat(execution.status()).as(execution.text()).isZero();
    long hits = number("lru", "redis.r1", "reads.hits");
    long misses = number("lru", "redis.r1", "reads.misses");
    assertThat(hits + misses).isEqualTo(reads);
    long there = 20_000 + misses - number("lru", "redis.r1", "engine.evicted_keys");
    double simulated = leastRecentlyUsed(runFolder("lru", "redis.r1"), (int) there, reads);
    System.out.printf(
        "%d of 20,000 records: Redis hits %.4f, LRU %.4f%n", there, 1.0 * hits / reads, simulated);
    assertThat(1.0 * hits / reads).isCloseTo(simulated, within(0.02));
    assertNothingLeft();
  }

  /**
   * The hit ratio of a cache of {@code capacity} records, after the load, over the run's own
   * requests.
   */
  private static double leastRecentlyUsed(Path run, int capacity, long reads) throws Exception {
    WorkerSpec spec = WorkerSpec.read(run.resolve("worker.properties"));
    Map<Long, Boolean> cache =
        new LinkedHashMap<>(capacity, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > capacity;
          }
        };
    long hits = 0;
    for (WorkerPhase phase : spec.phases()) {
      boolean load = phase.kind() == WorkerPhase.Kind.LOAD;
      RequestPlan plan =
          new RequestPlan(spec.seed(), phase.name(), phase.mix(), spec.dataset().records(), 1, 1);
      Requests requests = load ? plan.load(0) : plan.mix(0);
      for (long i = 0; i < (load ? spec.dataset().records() : reads); i++) {
        requests.next(1);
        boolean hit = cache.get(requests.id(0)) != null;
        hits += hit && !load ? 1 : 0;
        if (!hit) {
          cache.put(requests.id(0), true);
        }
      }
    }
    return 1.0 * hits / reads;
  }
}
