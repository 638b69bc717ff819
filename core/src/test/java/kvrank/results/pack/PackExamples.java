package kvrank.results.pack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.metric.Usage;
import kvrank.results.Durability;
import kvrank.results.Json;
import kvrank.results.LatencyLog;
import kvrank.results.Manifest;
import kvrank.results.OperationRecord;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.Resources;
import kvrank.results.ResultsDirectory;
import kvrank.results.RunDirectory;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import org.HdrHistogram.Histogram;

/** Results on disk whose figures agree, with private texts in every place that can have one. */
public final class PackExamples {

  static final String HOST = "build-box.corp.example";
  static final String USER = "alice.liddell";

  /** Texts that a pack must not have. */
  static final List<String> PRIVATE =
      List.of(
          HOST,
          "build-box",
          "build--box",
          USER,
          "/home/",
          "/srv/",
          "hunter2",
          "s3cr3t",
          "10.1.2.3",
          "db7.corp.example",
          "loader-9",
          "server log");

  private static final int RECORDS = 1500;
  private static final int RECORD_BYTES = 265;
  private static final int ERRORS = 20;
  private static final long SECOND = 1_000_000_000;

  private PackExamples() {}

  /** Writes an execution of two engines and three repetitions to a new folder in {@code parent}. */
  public static ResultsDirectory execution(Path parent, double speed) throws IOException {
    List<RunRecord> runs = new ArrayList<>();
    Map<String, Map<String, Histogram>> latencies = new TreeMap<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (String engine : List.of("redis", "rocksdb")) {
        int reads = (int) Math.round(1000 * speed * (engine.equals("redis") ? 1 : 3)) + repetition;
        Map<String, Histogram> own = new TreeMap<>();
        RunRecord run = run(engine, repetition, runs.size(), reads, own);
        runs.add(run);
        latencies.put(run.id(), own);
      }
    }
    runs.add(failed(runs.size()));
    Manifest manifest =
        Runs.manifest("redis", "rocksdb")
            .scenario("mine")
            .question("Which is faster on build-box?")
            .phases("load", "get", "mixed")
            .factor("fsync", "off")
            .repetitions(4)
            .runs(runs)
            .build();
    ResultsDirectory results = ResultsDirectory.create(parent, Runs.THEN);
    results.begin(
        """
        name: mine
        question: Which is faster on build-box?
        engines:
          - engine: redis
            as: redis
            server:
              process: /srv/build-box/redis-server
              user: alice.liddell
              password: {env: KVRANK_PASSWORD}
          - engine: rocksdb
            as: rocksdb
            server:
              external: redis://bob:hunter2@db7.corp.example:6379
        storage:
          medium: ssd
        fsync: 'off'
        phases:
          - as: load
            workload: {name: load, description: 'Inserts all records.'}
          - as: get
            workload: {name: get, keys: {distribution: uniform}}
          - as: mixed
            workload: {name: mixed, keys: {distribution: uniform}}
        repetitions: 4
        seed: 42
        """,
        Json.file(manifest),
        new Facts()
            .put(Fact.HOST, HOST)
            .put(Fact.CPU_MODEL, "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz")
            .put(Fact.CPU_CORES, 8)
            .put(Fact.STORAGE_DEVICE, "mapper/build--box--vg-root")
            .put(Fact.STORAGE_MEDIUM, "ssd"));
    for (RunRecord run : runs) {
      RunDirectory folder = results.run(run.id());
      folder.write(run);
      Files.writeString(folder.serverLog(), "a server log of " + HOST + "\n");
      Files.writeString(
          folder.generators(),
          "phase,generator,host,cores\nget,0,loader-9,8\n",
          StandardCharsets.UTF_8);
      if (latencies.containsKey(run.id())) {
        RawFiles.write(folder, run, latencies.get(run.id()));
      }
    }
    return results;
  }

  /** Returns {@code count} latencies, {@code step} nanoseconds apart. */
  static Histogram histogram(int count, long step) {
    Histogram histogram = new Histogram(3);
    for (long i = 0; i < count; i++) {
      histogram.recordValue(1000 + step * i);
    }
    return histogram;
  }

  static OperationRecord operation(
      Histogram histogram, long notFound, Map<String, Long> errors, long elapsedNanos) {
    long ok = histogram.getTotalCount() - notFound;
    return new OperationRecord(
        ok,
        notFound,
        new TreeMap<>(errors),
        ok * 1e9 / elapsedNanos,
        Optional.of(LatencyLog.summary(histogram)));
  }

  private static RunRecord run(
      String engine, int repetition, int number, int reads, Map<String, Histogram> latencies) {
    boolean embedded = engine.equals("rocksdb");
    latencies.put("load/insert", histogram(RECORDS, 900 + reads));
    latencies.put("get/read", histogram(reads, 7));
    latencies.put("mixed/read", histogram(120_000 + reads, 2));
    latencies.put("mixed/update", histogram(3000 + reads, 5));
    PhaseRecord load =
        Runs.phase("load")
            .at(Map.of("fsync", "off", "records", Integer.toString(RECORDS), "threads", "4"))
            .elapsedNanos(2 * SECOND)
            .operation("insert", operation(latencies.get("load/insert"), 0, Map.of(), 2 * SECOND))
            .resources(resources(embedded, 1))
            .durability(flushed(RECORDS))
            .facts(facts(embedded, 0, RECORDS, 0))
            .build();
    PhaseRecord get =
        Runs.phase("get")
            .at(Map.of("fsync", "off", "threads", "4"))
            .operation("read", operation(latencies.get("get/read"), 0, Map.of(), 10 * SECOND))
            .resources(resources(embedded, 2))
            .facts(facts(embedded, SECOND, 0, reads))
            .build();
    long missing = 1000;
    long found = 120_000 + reads - missing;
    Map<String, String> ofMixed = facts(embedded, SECOND, 3000 + reads, found);
    ofMixed.put(Fact.READS_HITS.label(), Long.toString(found));
    ofMixed.put(Fact.READS_MISSES.label(), Long.toString(missing));
    ofMixed.put(Fact.REPEATED_RECORDS.label(), "15");
    ofMixed.put(Fact.UNAVAILABLE_NANOS.label(), "600000000");
    ofMixed.put(Fact.UNAVAILABLE_LONGEST_NANOS.label(), "500000000");
    ofMixed.put(Fact.STALE_READS.label(), Long.toString(found / 2));
    PhaseRecord mixed =
        Runs.phase("mixed")
            .at(Map.of("fsync", "off", "threads", "4", "errors", "allowed"))
            .operation(
                "read", operation(latencies.get("mixed/read"), missing, Map.of(), 10 * SECOND))
            .operation(
                "update",
                operation(
                    latencies.get("mixed/update"),
                    0,
                    Map.of("ERROR", (long) ERRORS, "ERROR in the warm-up", 7L),
                    10 * SECOND))
            .resources(resources(embedded, 3))
            .durability(flushed(3000 + reads))
            .facts(ofMixed)
            .build();
    Map<String, String> facts = new TreeMap<>();
    facts.put(Fact.SERVER_HOST.label(), "10.1.2.3");
    facts.put(Fact.EXECUTABLE.label(), "/home/alice.liddell/bin/redis-server");
    facts.put(Fact.SETTING.named("requirepass"), "s3cr3t");
    facts.put(Fact.ENGINE.named("config_file"), "/srv/redis.conf");
    facts.put(Fact.ENGINE.named("user-bytes-written"), "123456");
    facts.put(Fact.ENGINE_VERSION.label(), "7.0.15.1");
    facts.put(Fact.GENERATORS_HOSTS.label(), "loader-9, " + HOST);
    facts.put(Fact.FOOTPRINT_CLOSED_BYTES.label(), Long.toString(RawFiles.CLOSED));
    if (embedded) {
      facts.put(Fact.WAY.label(), "embedded");
    } else {
      facts.put(Fact.MEMORY_EMPTY_BYTES.label(), Long.toString(RawFiles.EMPTY));
      facts.put(Fact.MEMORY_EMPTY_ANONYMOUS_BYTES.label(), Long.toString(RawFiles.EMPTY / 2));
    }
    return Runs.run(engine)
        .at("fsync", "off")
        .repetition(repetition)
        .seed(repetition)
        .time(Runs.THEN.plusSeconds(100L * number), Duration.ofSeconds(60))
        .note("started by alice.liddell on build-box")
        .facts(facts)
        .phases(load, get, mixed)
        .build();
  }

  /** Returns the resources of an engine in the worker, or beside it. */
  private static Resources resources(boolean embedded, int factor) {
    Usage busy = usage(factor, factor * (64L << 20), factor * (8L << 20));
    Usage idle = usage(0.5, 48L << 20, 4096);
    return new Resources(
        embedded ? Optional.empty() : Optional.of(busy),
        Optional.of(embedded ? busy : idle),
        OptionalLong.of(factor * (16L << 20)),
        Optional.of(new Resources.Traffic(factor * (1L << 20), factor * (24L << 20))));
  }

  private static Usage usage(double seconds, long resident, long written) {
    return new Usage(
        seconds,
        seconds / 4,
        resident,
        resident + (2L << 20),
        resident - (2L << 20),
        1L << 20,
        OptionalLong.of(written / 2),
        OptionalLong.of(written),
        OptionalLong.of(written / 4),
        OptionalLong.of(3 + resident / (1 << 26)),
        OptionalLong.of(resident - (12L << 20)),
        OptionalLong.of(resident - (10L << 20)),
        OptionalLong.of(resident - (8L << 20)));
  }

  private static Durability flushed(long writes) {
    return new Durability(
        Optional.of("nvme0n1"),
        OptionalLong.of(40),
        OptionalDouble.of(0),
        writes,
        OptionalDouble.of(40.0 / writes),
        Durability.Verdict.PROVEN,
        "40 flushes");
  }

  private static Map<String, String> facts(
      boolean embedded, long warmupNanos, long written, long read) {
    Map<Fact, Long> facts = new EnumMap<>(Fact.class);
    facts.put(Fact.WARMUP_NANOS, warmupNanos);
    facts.put(Fact.RECORDS, (long) RECORDS);
    facts.put(Fact.USER_LIVE_BYTES, (long) RECORDS * RECORD_BYTES);
    facts.put(Fact.USER_BEGIN_BYTES, warmupNanos == 0 ? 0 : (long) RECORDS * RECORD_BYTES);
    facts.put(Fact.USER_WRITTEN_BYTES, written * RECORD_BYTES);
    facts.put(Fact.USER_READ_BYTES, read * RECORD_BYTES);
    facts.put(Fact.FOOTPRINT_PEAK_BYTES, RawFiles.PEAK);
    facts.put(Fact.SETTLE_NANOS, SECOND);
    facts.put(Fact.SETTLE_WRITTEN_BYTES, RawFiles.SETTLED);
    facts.put(Fact.SETTLE_READ_BYTES, RawFiles.SETTLED / 2);
    facts.put(Fact.HARNESS_RESIDENT_BYTES, 50L << 20);
    facts.put(Fact.HARNESS_OFF_HEAP_BYTES, 20_000L);
    facts.put(Fact.HARNESS_HEAP_LIVE_BYTES, 5L << 20);
    facts.put(Fact.HARNESS_CEILING, 9_000_000L);
    if (embedded) {
      facts.put(Fact.CLIENT_HEAP_BYTES, 12L << 20);
      facts.put(Fact.CLIENT_HEAP_COMMITTED_BYTES, 20L << 20);
      facts.put(Fact.CLIENT_HEAP_LIVE_BYTES, 9L << 20);
      facts.put(Fact.CLIENT_HEAP_RESIDENT_BYTES, 16L << 20);
      facts.put(Fact.COUNTED_READ_BYTES, 3L << 20);
      facts.put(Fact.COUNTED_WRITTEN_BYTES, 5L << 20);
    }
    Map<String, String> texts = new TreeMap<>();
    facts.forEach((fact, value) -> texts.put(fact.label(), value.toString()));
    return texts;
  }

  private static RunRecord failed(int number) {
    return Runs.run("redis")
        .at("fsync", "off")
        .repetition(4)
        .seed(4)
        .time(Runs.THEN.plusSeconds(100L * number), Duration.ofSeconds(60))
        .outcome(
            new Outcome.Failed(
                "",
                Cause.ENGINE,
                "cannot open '/home/alice.liddell/my data', unix:///srv/x.sock: redis://x:hunter2@10.1.2.3:6379"))
        .build();
  }
}
