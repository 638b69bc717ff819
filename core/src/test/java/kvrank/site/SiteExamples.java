package kvrank.site;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import kvrank.fact.Fact;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.metric.Expectation;
import kvrank.metric.Metrics;
import kvrank.metric.Preference;
import kvrank.report.CrashExamples;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.Durability;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.PhaseBuilder;
import kvrank.stats.RunBuilder;
import kvrank.stats.Runs;

/** Executions of three scenarios on several machines, with speeds, noise and failures by a seed. */
final class SiteExamples {

  /** The use of each phase; that of {@code set} follows from the level. */
  static final Map<String, String> USES =
      Map.of(
          "load", "Ingest", "get", "Reads", "mixed", "Mixed", "scan", "Scans", "delete", "Deletes",
          "cached", "Cache");

  /** A scenario that has no load, only writes for a fixed time. */
  static final String TIMED = "timed";

  private static final Map<String, List<String>> PHASES =
      Map.of(
          "first",
          List.of("load", "get", "set", "delete"),
          "second",
          List.of("load", "mixed", "scan", "cached"),
          TIMED,
          List.of("set", "get"));

  /** Writes in threads of their own, the slower the faster the reads are. */
  private static final String WRITER = "writer:update";

  /** Phases with groups of threads that run at their own pace, which are compared apart. */
  static final Map<String, List<String>> GROUPS = Map.of("mixed", List.of("readers:read", WRITER));

  private static final Map<String, Map<String, Double>> MIXES =
      Map.of(
          "load", Map.of("insert", 1.0),
          "get", Map.of("read", 1.0),
          "set", Map.of("update", 1.0),
          "mixed", Map.of("readers:read", 0.8, WRITER, 0.2),
          "scan", Map.of("range-scan", 1.0),
          "delete", Map.of("delete", 1.0),
          "cached", Map.of("read", 1.0));

  /** Of 10,000 reads by each engine. */
  private static final List<Integer> HITS =
      List.of(8_000, 9_000, 8_950, 9_040, 6_000, 9_020, 7_000);

  /** The end of the name of the execution that is left out. */
  static final String BUSY = "machine-0-2";

  /** The name of the execution that others disturbed; no quiet one measured the same. */
  static final String ONLY_BUSY = "second/machine-2-0";

  /** The end of the name of an engine that is killed in a scenario, and the message. */
  private static final String DYING = "d";

  private static final String KILLED = "killed by the memory limit of 1MiB: the server";

  /** The setting of all phases. */
  static final String RECORDS = "records=10000";

  /** Only one engine has power cuts. */
  private static final CrashTrialResult CUT =
      CrashExamples.cuts(CrashExamples.cut(1_000, 0, 0), CrashExamples.cut(20_000, 0, 0));

  /** The order of engines that meet what the second scenario requires. */
  private static final Preference PREFER =
      new Preference(
          "memory",
          List.of(new Expectation.Cell(Optional.of("scan"), Optional.empty())),
          Metrics.MEMORY);

  private final Random random;
  private final int repetitions;

  /** Whether an engine has a label. */
  private boolean flagged;

  /** Whether the power of an engine was cut, and another lost writes at a level without losses. */
  private boolean cut;

  /** Whether others disturb every run, or only the fourth. */
  private boolean busy;

  private boolean fourth;

  /** The memory that a run can use. */
  private String memory = "";

  SiteExamples(long seed, int repetitions) {
    this.random = new Random(seed);
    this.repetitions = repetitions;
  }

  List<ExecutionResults> executions(int machines, int engines) {
    flagged = engines > 1;
    cut = engines > 3;
    List<ExecutionResults> all = new ArrayList<>();
    Map<String, Double> speeds = new TreeMap<>();
    for (int machine = 0; machine < machines; machine++) {
      for (String scenario : List.of("first", "second", TIMED)) {
        boolean second = scenario.equals("second");
        busy = second && machine == 2;
        fourth = scenario.equals("first") && machine == 1;
        memory = second && machine == 1 ? "1000000" : "8000000000";
        for (int i = 0; i < (machine == 0 ? 2 : 1); i++) {
          all.add(execution(scenario, machine, engines, speeds, i));
        }
      }
    }
    busy = true;
    memory = "8000000000";
    all.add(execution("first", 0, engines, speeds, 2));
    return all;
  }

  private ExecutionResults execution(
      String scenario, int machine, int engines, Map<String, Double> speeds, int hour) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < engines; i++) {
      names.add("engine-" + (char) ('a' + i));
    }
    List<String> phases = PHASES.get(scenario);
    List<RunRecord> runs = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (String fsync : List.of("off", "on")) {
        for (String engine : names) {
          runs.add(run(engine, fsync, phases, machine, repetition, speeds));
        }
      }
    }
    return new ExecutionResults(
        Path.of("results", scenario, "machine-" + machine + "-" + hour),
        Runs.manifest(names)
            .scenario(scenario)
            .phases(phases)
            .factor("fsync", "off", "on")
            .repetitions(repetitions)
            .planned(Runs.THEN.plus(Duration.ofHours(hour)))
            .runs(runs)
            .expectations(scenario.equals("second") ? requirements(names) : List.of())
            .prefer(PREFER)
            .build(),
        commit(machine, hour)
            .put(Fact.HOST, "host-" + machine)
            .put(Fact.CPU_MODEL, machine == 2 ? "AMD EPYC 7763" : "Intel Xeon Gold")
            .put(Fact.CPU_CORES, 4),
        runs,
        List.of());
  }

  /** Two commits of one version on one machine. */
  private static Facts commit(int machine, int hour) {
    Facts facts = new Facts();
    return machine == 0
        ? facts
            .put(Fact.COMMIT, "kvrank", (hour == 1 ? "b" : "a").repeat(40))
            .put(Fact.STORAGE_FILE_SYSTEM, "ext4")
            .put(Fact.STORAGE_DEVICE, "vda")
            .put(Fact.STORAGE_MEDIUM, "unknown")
        : facts;
  }

  /** Returns the requirements of the second scenario. */
  static List<Expectation> requirements(List<String> engines) {
    List<Expectation> bounds = new ArrayList<>();
    for (String engine : engines) {
      bounds.add(
          new Expectation(
              "* range-scan p99 < 5ms",
              engine,
              List.of(new Expectation.Cell(Optional.of("scan"), Optional.of("range-scan"))),
              Metrics.LATENCY_P99,
              true,
              5e6,
              new TreeMap<>()));
      bounds.add(
          new Expectation(
              "* memory < 4MB",
              engine,
              List.of(new Expectation.Cell(Optional.empty(), Optional.empty())),
              Metrics.MEMORY,
              true,
              4e6,
              new TreeMap<>()));
    }
    return bounds;
  }

  private RunRecord run(
      String engine,
      String fsync,
      List<String> phases,
      int machine,
      int repetition,
      Map<String, Double> speeds) {
    List<PhaseRecord> records = new ArrayList<>();
    for (String phase : phases) {
      String key = engine + phase + fsync;
      // Some differ between machines, some do not; some are tied.
      double base =
          speeds.computeIfAbsent(key, any -> 1000 * Math.pow(10, random.nextInt(5) / 4.0));
      double here =
          speeds.computeIfAbsent(
              key + machine,
              any -> random.nextInt(4) == 0 ? base * random.nextDouble(0.3, 3) : base);
      double noise = Math.exp(random.nextGaussian() * 0.02);
      boolean disturbed = busy || (fourth && repetition == 4);
      // Others cost engines different shares.
      double slowed = disturbed ? here / (1 + engine.charAt(7) % 5) : here;
      records.add(phase(engine, phase, fsync, slowed * noise, disturbed));
    }
    if (engine.endsWith(DYING) && dies(fsync, phases, machine)) {
      Outcome killed =
          new Outcome.Failed("set", Cause.ENGINE, KILLED + " (pid %d)".formatted(repetition));
      return begin(engine, fsync, repetition)
          .outcome(killed)
          .phases(List.of(Runs.phase("set", killed)))
          .build();
    }
    if (engine.endsWith("c") && fsync.equals("on") && repetition == 2) {
      PhaseRecord failed =
          Runs.phase(
              phases.get(1),
              new Outcome.Failed(phases.get(1), Cause.ENGINE, "it ran out of space"));
      return begin(engine, fsync, repetition)
          .outcome(failed.outcome())
          .phases(List.of(records.get(0), failed))
          .build();
    }
    RunRecord run = begin(engine, fsync, repetition).phases(records).build();
    if (phases.contains("delete")) {
      return Runs.from(run).crashTest(crash(engine, fsync)).build();
    }
    if (cut && engine.endsWith("b") && fsync.equals("on") && phases.contains("mixed")) {
      Crash loses = crash(false, 7, 0, 500);
      return Runs.from(run).crashTest(new CrashTrialResult(false, List.of(loses), "")).build();
    }
    return cut && engine.endsWith("a") && phases.contains("mixed")
        ? Runs.from(run).crashTest(CUT).build()
        : run;
  }

  private RunBuilder begin(String engine, String fsync, int repetition) {
    return Runs.run(engine)
        .at("fsync", fsync)
        .repetition(repetition)
        .facts(
            Map.of(
                Fact.WAY.label(),
                embedded(engine) ? "embedded" : "process",
                Fact.ASKED.label(),
                engine.endsWith("b") ? "engine-z log=none" : engine,
                Fact.MEMORY_AVAILABLE_BYTES.label(),
                memory));
  }

  /** Returns whether an engine is killed in every run: without fsync, on the first machine. */
  private static boolean dies(String fsync, List<String> phases, int machine) {
    return fsync.equals("off") && phases.equals(PHASES.get(TIMED)) && machine == 0;
  }

  static boolean embedded(String engine) {
    return engine.matches(".*[beg]");
  }

  private PhaseRecord phase(
      String engine, String phase, String fsync, double speed, boolean disturbed) {
    Map<String, String> facts = new TreeMap<>();
    String[] records = RECORDS.split("=", 2);
    PhaseBuilder builder =
        Runs.phase(phase)
            .at("fsync", fsync)
            .at("duration", "10s")
            .at(records[0], records[1])
            .embedded(embedded(engine))
            .threads(engine.endsWith("b") ? 9 : 1);
    MIXES
        .get(phase)
        .forEach(
            (operation, share) ->
                builder.operation(
                    operation, share * (operation.equals(WRITER) ? 1e7 / speed : speed)));
    Durability.Verdict verdict =
        engine.endsWith("d") && fsync.equals("on") && phase.equals("set")
            ? Durability.Verdict.NOT_PROVEN
            : Durability.Verdict.PROVEN;
    if (!phase.equals("get")) {
      builder.durability(Runs.durability(verdict, 10, 100, "10 flushes for 100 writes"));
    }
    if (phase.equals("cached")) {
      long hits = Math.round(HITS.get(engine.charAt(7) - 'a') + 20 * (speed % 1));
      facts.put(Fact.READS_HITS.label(), Long.toString(hits));
      facts.put(Fact.READS_MISSES.label(), Long.toString(10_000 - hits));
    }
    if (engine.endsWith("a") && flagged) {
      facts.put(Fact.STEADY.label(), "no");
    }
    if (disturbed) {
      facts.put(Fact.OTHERS_CPU_SHARE.label(), "0.43");
    }
    return builder
        .facts(facts)
        .memory((long) (1e6 * (2 + engine.charAt(7) % 3) * (1 + speed % 7 / 500)))
        .footprint((long) (1e7 * (1 + engine.charAt(7) % 2)))
        .build();
  }

  /**
   * One engine loses writes that it may lose and does not restart after another crash, one never
   * restarts at a level, one returns wrong records, one has too few at stake.
   */
  private static CrashTrialResult crash(String engine, String fsync) {
    boolean off = fsync.equals("off");
    boolean losing = engine.endsWith("b") && off;
    boolean dead = engine.endsWith("d") && off;
    int wrong = engine.endsWith("e") && off ? 2 : 0;
    Crash crash = crash(dead, losing ? 940 : 0, wrong, engine.endsWith("c") ? 3 : 500);
    return new CrashTrialResult(
        false, losing ? List.of(crash, crash(true, 0, 0, 500)) : List.of(crash), "");
  }

  private static Crash crash(boolean dead, long lost, long wrong, long lately) {
    LostWrites losses =
        new LostWrites(1000, lost, 0, 0, wrong, 0, "", OptionalLong.empty(), OptionalLong.empty());
    return new Crash(
        "was killed by SIGKILL (exit status 137)",
        1000,
        dead ? OptionalLong.empty() : OptionalLong.of(1_000_000),
        dead ? Optional.empty() : Optional.of(losses),
        dead ? "did not restart" : "",
        Optional.empty(),
        OptionalLong.of(lately),
        List.of(),
        List.of());
  }
}
