package kvrank.report;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.plan.RunKey;
import kvrank.results.Durability;
import kvrank.results.ExecutionResults;
import kvrank.results.Manifest;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;
import kvrank.table.TableRequest;

/** Two executions as they come out of a machine. The numbers are made up. */
public final class Examples {

  private static final List<String> PHASES =
      List.of("load", "prefix-scan", "set", "get", "set-get", "delete");

  /** Operations per second of one thread in the order of {@link #PHASES}. */
  private static final Map<String, List<Double>> SPEEDS =
      Map.of(
          "redis", List.of(310_000.0, 0.0, 41_200.0, 45_100.0, 42_800.0, 43_600.0),
          "ssdb", List.of(96_000.0, 5_120.0, 19_800.0, 21_400.0, 20_300.0, 20_900.0),
          "ignix", List.of(295_000.0, 3_870.0, 47_900.0, 45_400.0, 46_200.0, 47_100.0),
          "rocksdb", List.of(402_000.0, 88_600.0, 48_700.0, 1_204_000.0, 387_000.0, 318_000.0));

  private Examples() {}

  /** Five engines, three repetitions, two thread counts, and most of what can go wrong. */
  public static ExecutionResults ssdNofsync() {
    return ssdNofsync("kvbench");
  }

  /** The same with another table. */
  public static ExecutionResults ssdNofsync(String table) {
    List<String> engines = List.of("redis", "kvrocks", "ssdb", "ignix", "rocksdb");
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (int threads : List.of(1, 8)) {
        for (String engine : engines) {
          runs.add(ssdNofsync(engine, threads, repetition));
        }
      }
    }
    TreeMap<String, List<String>> factors = new TreeMap<>();
    point(1).forEach((factor, value) -> factors.put(factor, List.of(value)));
    factors.put("threads", List.of("1", "8"));
    Manifest manifest =
        Runs.manifest(engines)
            .phases(PHASES)
            .factors(factors)
            .repetitions(3)
            .scenario("ssd-nofsync")
            .question(
                "Which engine is fastest on an SSD when a write may be acknowledged before it is on"
                    + " disk?")
            .medium("ssd")
            .tables(TableRequest.of(table))
            .runs(runs)
            .build();
    return new ExecutionResults(
        Path.of("results"),
        manifest,
        new Facts().put(Fact.CPU_CORES, 2).put(Fact.OS, "Linux 6.1.0 amd64"),
        runs,
        List.of());
  }

  /** Redis with three numbers of threads beside RocksDB, and tables over these. */
  public static ExecutionResults options() {
    List<RunRecord> runs = new ArrayList<>();
    Map<String, Double> speeds =
        Map.of("redis 1", 36e3, "redis 2", 72e3, "redis 4", 54e3, "rocksdb", 90e3);
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (String each : new TreeSet<>(speeds.keySet())) {
        double noise = 1 + 0.01 * ((repetition + each.length()) % 3 - 1);
        String[] words = each.split(" ", 2);
        runs.add(
            Runs.run(words.length == 1 ? each : words[0] + " io-threads=" + words[1])
                .at("fsync", "off")
                .repetition(repetition)
                .throughput(speeds.get(each) * noise)
                .options(words.length == 1 ? Map.of() : Map.of("io-threads", words[1]))
                .build());
      }
    }
    List<String> engines = runs.stream().map(RunRecord::engine).distinct().toList();
    TreeMap<String, List<String>> factors = new TreeMap<>(Map.of("fsync", List.of("off")));
    String axis = "options.io-threads";
    List<TableRequest> tables =
        List.of(
            TableRequest.of(
                Map.of(
                    "title",
                    "Throughput by io-threads",
                    "metric",
                    "throughput",
                    "show",
                    "ranked",
                    "rows",
                    "engine",
                    "columns",
                    Map.of("for-each", axis, "title", "{options.io-threads} threads"),
                    "charts",
                    List.of(
                        Map.of(
                            "file",
                            "threads",
                            "kind",
                            "lines",
                            "title",
                            "Throughput by io-threads",
                            "png",
                            true,
                            "rows",
                            axis)))),
            TableRequest.of(
                Map.of(
                    "title",
                    "By RocksDB's",
                    "metric",
                    "throughput",
                    "show",
                    "ratio",
                    "to",
                    "rocksdb",
                    "rows",
                    axis,
                    "columns",
                    "engine")),
            TableRequest.of(
                Map.of(
                    "title",
                    "Redis alone",
                    "where",
                    Map.of("engine", "redis"),
                    "rows",
                    "engine",
                    "columns",
                    List.of(
                        Map.of("metric", "throughput"),
                        Map.of("metric", "p99", "where", Map.of("operation", "read"))))));
    Manifest manifest =
        Runs.manifest(engines)
            .phases("get")
            .factors(factors)
            .repetitions(3)
            .scenario("io-threads")
            .question("How many threads should Redis read with?")
            .medium("any")
            .tables(tables)
            .runs(runs)
            .build();
    return new ExecutionResults(Path.of("results"), manifest, new Facts(), runs, List.of());
  }

  /** The runs of {@link #ssdNofsync} under the names of 17 engines. */
  static ExecutionResults manyEngines() {
    ExecutionResults few = ssdNofsync();
    List<String> known = List.of("redis", "ignix", "rocksdb", "ssdb");
    List<String> engines = new ArrayList<>();
    List<RunRecord> runs = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      String engine = "engine-" + i;
      engines.add(engine);
      for (RunRecord run : few.runs()) {
        if (run.engine().equals(known.get(i % known.size()))) {
          RunKey key =
              new RunKey(
                  engine + run.id(), engine, run.factors(), run.repetition(), run.key().seed());
          runs.add(
              new RunRecord(
                  key,
                  run.outcome(),
                  run.note(),
                  run.facts(),
                  run.phases(),
                  run.started(),
                  run.ended(),
                  run.crashTest()));
        }
      }
    }
    Manifest manifest =
        Runs.manifest(engines)
            .phases(PHASES)
            .factors(few.manifest().factors())
            .repetitions(3)
            .scenario("ssd-nofsync")
            .runs(runs)
            .build();
    return Runs.results(manifest, runs);
  }

  private static Map<String, String> point(int threads) {
    return Map.of(
        "batch",
        "1",
        "duration",
        "10s",
        "fsync",
        "off",
        "key-bytes",
        "9",
        "rate",
        "max",
        "records",
        "1000000",
        "threads",
        Integer.toString(threads),
        "value-bytes",
        "256");
  }

  private static RunRecord ssdNofsync(String engine, int threads, int repetition) {
    Map<String, String> point = point(threads);
    if (engine.equals("kvrocks")) {
      return Runs.run(engine)
          .at(point)
          .repetition(repetition)
          .outcome(
              new Outcome.Unavailable(
                  "container: no Docker daemon answers; process: no executable 'kvrocks' on the PATH."
                      + " To get it: docker pull apache/kvrocks:2.9"))
          .build();
    }
    boolean dies = engine.equals("ssdb") && threads == 8 && repetition == 2;
    Outcome death =
        new Outcome.Failed(
            "get", Cause.ENGINE, "the server was killed by signal 9\nlog: [info] ready | serving");
    List<PhaseRecord> phases = new ArrayList<>();
    for (String phase : dies ? PHASES.subList(0, 3) : PHASES) {
      phases.add(phase(engine, phase, threads, repetition));
    }
    if (dies) {
      phases.add(Runs.phase("get", death));
    }
    RunRecord run =
        Runs.run(engine)
            .at(point)
            .repetition(repetition)
            .outcome(dies ? death : new Outcome.Completed())
            .phases(phases)
            .build();
    return Runs.from(run)
        .facts(
            Map.of(
                "way",
                engine.equals("rocksdb") ? "embedded" : "container",
                "engine.version",
                "1.2.3"))
        .note(
            engine.equals("ignix")
                ? "volatile: acknowledges before the write has left its own memory"
                : "")
        .build();
  }

  private static PhaseRecord phase(String engine, String name, int threads, int repetition) {
    if (engine.equals("redis") && name.equals("prefix-scan")) {
      return Runs.phase(name, new Outcome.Unsupported("redis has no prefix-scan"));
    }
    if (engine.equals("rocksdb") && name.equals("delete") && threads == 8 && repetition < 3) {
      return Runs.phase(
          name, new Outcome.TimedOut(name, Cause.ENGINE, "no operation was answered for 60 s"));
    }
    double jitter = List.of(1.0, 0.97, 1.021).get((repetition + engine.charAt(1)) % 3);
    double speed = SPEEDS.get(engine).get(PHASES.indexOf(name)) * jitter * (threads == 1 ? 1 : 2.7);
    Map<String, String> settings = new TreeMap<>(point(threads));
    if (name.equals("load")) {
      settings.put("batch", "1000");
    }
    PhaseRecord phase =
        Runs.phase(name).at(settings).operations(operations(name, speed)).threads(threads).build();
    if (engine.equals("rocksdb") && name.equals("set-get") && threads == 8 && repetition == 3) {
      phase =
          Runs.from(phase)
              .operation(
                  "writer:update",
                  Runs.operation(speed / 2, 9_000, Map.of("ERROR", 12L, "TIMEOUT", 3L)))
              .build();
    }
    long memory = 1_000_003L * (engine.equals("rocksdb") ? 612 : 40 + engine.length() * 31);
    long elapsed = name.equals("load") ? Math.round(1e6 / speed * 1e9) : phase.elapsedNanos();
    return Runs.from(phase)
        .elapsedNanos(elapsed)
        .memory(Math.round(memory * jitter))
        .footprint(4096L * (60_000 + 900 * PHASES.indexOf(name) + 3_700 * engine.length()))
        .embedded(engine.equals("rocksdb"))
        .build();
  }

  private static Map<String, Double> operations(String phase, double speed) {
    return switch (phase) {
      case "load" -> Map.of("insert", speed);
      case "prefix-scan" -> Map.of("prefix-scan", speed);
      case "set" -> Map.of("update", speed);
      case "get" -> Map.of("read", speed);
      case "set-get" -> Map.of("readers:read", speed / 2, "writer:update", speed / 2);
      default -> Map.of("delete", speed);
    };
  }

  /** One repetition at two durabilities, with names that need care, and broken files. */
  public static ExecutionResults quick() {
    List<String> engines = List.of("redis", "redis, \"tuned\"", "ssdb");
    List<RunRecord> runs = new ArrayList<>();
    for (String fsync : List.of("on", "off")) {
      Map<String, String> point = Map.of("fsync", fsync, "threads", "2");
      double slow = fsync.equals("on") ? 0.01 : 1;
      runs.add(quick("redis", point, 41_234.567 * slow));
      runs.add(quick("redis, \"tuned\"", point, 39_876.543 * slow));
      runs.add(
          fsync.equals("off")
              ? quick("ssdb", point, 20_000)
              : Runs.run("ssdb")
                  .at(point)
                  .outcome(new Outcome.Unsupported("fsync: on: SSDB has no fsync option"))
                  .build());
    }
    Manifest manifest =
        Runs.manifest(engines)
            .scenario("quick")
            .question("Which one reads <fast> | at *any* durability?")
            .medium("any")
            .phases("load", "cache")
            .factor("fsync", "on", "off")
            .factor("threads", "2")
            .seed(7)
            .runs(runs)
            .build();
    List<String> unreadable =
        IntStream.rangeClosed(1, 7)
            .mapToObj(i -> "runs/redis.r" + i + "/record.json: line 1, column 1: is empty")
            .toList();
    return new ExecutionResults(Path.of("results"), manifest, new Facts(), runs, unreadable);
  }

  private static RunRecord quick(String engine, Map<String, String> point, double speed) {
    long loaded = Math.round(speed * 20);
    long updated = Math.round(speed / 2);
    return Runs.run(engine)
        .at(point)
        .phases(
            Runs.phase("load")
                .at(point)
                .operation("insert", speed * 2)
                .threads(2)
                .durability(durability(engine, point, loaded))
                .build(),
            Runs.phase("cache")
                .workload("zipfian")
                .at(point)
                .operation("read", speed * 0.95)
                .operation("update", speed / 20)
                .threads(2)
                .durability(durability(engine, point, updated))
                .build())
        .build();
  }

  /** What was tuned is the durability. */
  private static Durability durability(String engine, Map<String, String> point, long writes) {
    if (point.get("fsync").equals("off")) {
      return engine.equals("ssdb")
          ? Runs.durability(Durability.Verdict.NOT_MEASURABLE, 9, writes, "others flush | <really>")
          : Runs.durability(Durability.Verdict.PROVEN, 3, writes, "3 flushes, which are few");
    }
    return engine.equals("redis")
        ? Runs.durability(Durability.Verdict.PROVEN, writes, writes, writes + " flushes")
        : Runs.durability(
            Durability.Verdict.NOT_PROVEN,
            10,
            writes,
            "10 flushes for %d writes".formatted(writes));
  }

  /** One scenario three times: twice on one machine, once on another with an older redis. */
  public static List<ExecutionResults> twoMachines() {
    return List.of(
        execution("alpha", "2026-01-02T030405Z", "7.2.4", 1),
        execution("alpha", "2026-01-03T030405Z", "7.2.4", 1.01),
        execution("beta", "2026-01-04T030405Z", "7.0.15", 0.7));
  }

  private static ExecutionResults execution(
      String host, String time, String version, double speed) {
    Map<String, String> point = Map.of("fsync", "off");
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 2; repetition++) {
      double jitter = speed * (1 + 0.02 * repetition);
      for (String engine : List.of("redis", "ssdb")) {
        double get = engine.equals("redis") ? 41_000 : 20_000;
        RunRecord run =
            Runs.run(engine)
                .at(point)
                .repetition(repetition)
                .phases(
                    Runs.phase("load")
                        .at(point)
                        .operation("insert", get * 3 * jitter)
                        .threads(2)
                        .build(),
                    Runs.phase("get").at(point).operation("read", get * jitter).threads(2).build())
                .build();
        runs.add(
            Runs.from(run)
                .facts(Map.of("engine.version", engine.equals("redis") ? version : "1.9.8"))
                .build());
      }
    }
    Manifest manifest =
        Runs.manifest("redis", "ssdb")
            .phases("load", "get")
            .factor("fsync", "off")
            .repetitions(2)
            .scenario("cache")
            .question("Which one reads faster?")
            .medium("ssd")
            .runs(runs)
            .planned(
                Instant.parse("2026-01-02T03:04:05Z").plus(Duration.ofSeconds(time.hashCode())))
            .build();
    return new ExecutionResults(
        Path.of("results", "cache", time),
        manifest,
        new Facts().put(Fact.HOST, host).put(Fact.STORAGE_MEDIUM, "SSD"),
        runs,
        List.of());
  }

  /** Redis has become slower, ssdb breaks in one run, a third one is new, a fourth is the same. */
  static List<ExecutionResults> beforeAndAfter() {
    return List.of(
        release("2026-01-02T030405Z", List.of("redis", "ssdb", "rocksdb"), "7.2.4", 1),
        release("2026-01-03T030405Z", List.of("redis", "ssdb", "rocksdb", "ignix"), "7.4.0", 0.8));
  }

  private static ExecutionResults release(
      String time, List<String> engines, String redis, double speed) {
    Map<String, String> point = Map.of("fsync", "off", "threads", "8");
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (String engine : engines) {
        double slower = engine.equals("redis") ? speed : 1;
        double get = (41_000 + 450 * repetition) * slower;
        boolean breaks = engine.equals("ssdb") && speed < 1 && repetition == 3;
        Outcome outcome =
            breaks
                ? new Outcome.Failed("get", Cause.ENGINE, "the server was killed by signal 9")
                : new Outcome.Completed();
        List<PhaseRecord> phases = new ArrayList<>();
        phases.add(
            Runs.phase("load").at(point).operation("insert", get * 3 / slower).threads(8).build());
        phases.add(
            breaks
                ? Runs.phase("get", outcome)
                : Runs.phase("get").at(point).operation("read", get).threads(8).build());
        runs.add(
            Runs.run(engine)
                .at(point)
                .repetition(repetition)
                .outcome(outcome)
                .phases(phases)
                .facts(Map.of("engine.version", engine.equals("redis") ? redis : "1.0"))
                .build());
      }
    }
    return new ExecutionResults(
        Path.of("results", "cache", time),
        Runs.manifest(engines)
            .phases("load", "get")
            .factor("fsync", "off")
            .factor("threads", "8")
            .repetitions(3)
            .build(),
        new Facts().put(Fact.HOST, "alpha"),
        runs,
        List.of());
  }
}
