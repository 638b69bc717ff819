package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import kvrank.failure.Cause;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.Durability.Verdict;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;

/** Crash tests of all kinds. The numbers are made up. */
public final class CrashExamples {

  private static final List<String> ENGINES =
      List.of("redis", "redis-no-persistence", "ignix", "rocksdb", "kvrocks", "far-away");

  private static final List<String> CUT = List.of("honest", "cheat", "sleeper", "fragile", "idle");

  private CrashExamples() {}

  /** One engine loses nothing, one a little, one all, one does not come back, some have none. */
  public static ExecutionResults killed() {
    List<RunRecord> runs = new ArrayList<>();
    for (String fsync : List.of("on", "off")) {
      for (String engine : ENGINES) {
        for (int repetition = 1; repetition <= 2; repetition++) {
          runs.add(run(engine, fsync, repetition));
        }
      }
    }
    return Runs.results(
        Runs.manifest(ENGINES).phases("load").factor("fsync", "on", "off").repetitions(2).build(),
        runs);
  }

  private static RunRecord run(String engine, String fsync, int repetition) {
    Map<String, String> point = Map.of("fsync", fsync);
    if (engine.equals("ignix") && fsync.equals("on")) {
      return Runs.run(engine)
          .at(point)
          .repetition(repetition)
          .outcome(new Outcome.Unsupported("fsync: on: Ignix has no option for it"))
          .build();
    }
    return loaded(engine, point, repetition, test(engine, fsync, repetition));
  }

  private static RunRecord loaded(
      String engine, Map<String, String> point, int repetition, CrashTrialResult test) {
    List<PhaseRecord> phases =
        List.of(
            Runs.phase("load")
                .at(point)
                .operation("insert", 40_000.0 + repetition)
                .threads(4)
                .build());
    RunRecord run = Runs.run(engine).at(point).repetition(repetition).phases(phases).build();
    return Runs.from(run).crashTest(test).build();
  }

  /** Power cuts for which this machine lacks something, after one {@code phase}. */
  public static ExecutionResults impossible(String phase) {
    CrashTrialResult none = CrashTrialResult.unsupported(true, "/dev/fuse is missing");
    List<PhaseRecord> phases = List.of(Runs.phase(phase).operation("insert", 400).build());
    return Runs.results(
        Runs.manifest("redis", "lmdb").phases(phase).build(),
        Stream.of("redis", "lmdb")
            .map(engine -> Runs.run(engine).phases(phases).build())
            .map(run -> Runs.from(run).crashTest(none).build())
            .toList());
  }

  private static CrashTrialResult test(String engine, String fsync, int repetition) {
    return switch (engine) {
      case "redis" -> done(kill(30_000, 0, 0), kill(41_000L * repetition, 0, 0));
      case "redis-no-persistence" -> done(kill(52_000, 40_000, 0), kill(20_000, 15_500, 0));
      case "ignix" -> done(kill(25_828, 19_371, 0), kill(47_183L * repetition, 35_387, 0));
      case "rocksdb" ->
          fsync.equals("on")
              ? done(kill(6_000, 0, repetition), kill(7_000, 2L * repetition, 0))
              : done(kill(200_000, 1L, 0), kill(300_000, 700L * repetition, 0));
      case "kvrocks" ->
          repetition == 1
              ? done(
                  kill(9_000, 0, 0),
                  new Crash(
                      "was killed by SIGKILL (exit status 137)",
                      8_000,
                      OptionalLong.empty(),
                      Optional.empty(),
                      "did not restart: kvrocks is not ready: it exited with status 1",
                      Optional.empty(),
                      OptionalLong.of(4_000),
                      List.of(),
                      List.of()))
              : new CrashTrialResult(
                  false, List.of(kill(9_500, 0, 0)), "crash 2: the port is taken");
      default -> CrashTrialResult.unsupported(false, "kvrank does not kill external servers");
    };
  }

  /** At each level an engine that keeps its promise and others that do not. */
  public static ExecutionResults cut() {
    return cut("on", "every-1s", "off");
  }

  /** The same at some of the levels. */
  public static ExecutionResults cut(String... levels) {
    List<RunRecord> runs = new ArrayList<>();
    for (String fsync : levels) {
      for (String engine : CUT) {
        for (int repetition = 1; repetition <= 2; repetition++) {
          Map<String, String> point = Map.of("fsync", fsync);
          RunRecord run = loaded(engine, point, repetition, cuts(engine, fsync));
          PhaseRecord proven =
              Runs.from(run.phases().get(0))
                  .durability(
                      Runs.durability(Verdict.PROVEN, 41_000, 40_000, "1.03 flushes per write"))
                  .build();
          runs.add(Runs.from(run).phases(List.of(proven)).build());
        }
      }
    }
    return Runs.results(
        Runs.manifest(CUT).phases("load").factor("fsync", levels).repetitions(2).build(), runs);
  }

  private static CrashTrialResult cuts(String engine, String fsync) {
    boolean on = fsync.equals("on");
    long allowed = on ? 0 : fsync.equals("off") ? 2_300_000_000L : 990_000_000;
    return switch (engine) {
      case "honest" -> cuts(cut(9_000, allowed, 4), cut(10_000, allowed, 0));
      case "cheat" -> cuts(cut(9_000, on ? 40_000_000 : 1_900_000_000, 0), cut(8_000, 0, 0));
      case "sleeper" -> cuts(cut(7_000, allowed, 400), cut(7_100, allowed, 390));
      case "idle" -> cuts(lately(cut(3, 0, 0), 3), lately(cut(1_000, 0, 0), 0));
      default ->
          cuts(
              new Crash(
                  "the worker JVM, which runs it, was killed by signal 9",
                  1_234,
                  OptionalLong.empty(),
                  Optional.empty(),
                  "did not restart: fragile is not ready: the file has no header",
                  Optional.of(powerCut(0)),
                  OptionalLong.of(600),
                  List.of("the simulated disk failed: its process ended with status 137"),
                  List.of(Cause.MACHINE)),
              cut(7_100, allowed, 0));
    };
  }

  /** Returns the result of these cuts. */
  public static CrashTrialResult cuts(Crash... crashes) {
    return new CrashTrialResult(true, List.of(crashes), "");
  }

  /** A cut that lost a write for each millisecond of the age of the oldest lost one. */
  public static Crash cut(long acknowledged, long oldestNanos, long standstill) {
    long lost = oldestNanos / 1_000_000;
    Crash killed = kill(acknowledged, lost, 0);
    LostWrites losses = killed.lostWrites().orElseThrow();
    LostWrites dated =
        new LostWrites(
            losses.checked(),
            losses.lostInserts(),
            losses.lostUpdates(),
            0,
            0,
            0,
            losses.example(),
            lost == 0 ? OptionalLong.empty() : OptionalLong.of(oldestNanos),
            lost == 0 ? OptionalLong.empty() : OptionalLong.of(0));
    return new Crash(
        killed.ending(),
        acknowledged,
        killed.restartNanos(),
        Optional.of(dated),
        "",
        Optional.of(powerCut(standstill)),
        killed.lately(),
        List.of(),
        List.of());
  }

  /** {@code crash} with this number of acknowledgements shortly before. */
  public static Crash lately(Crash crash, long acknowledged) {
    return new Crash(
        crash.ending(),
        crash.acknowledged(),
        crash.restartNanos(),
        crash.lostWrites(),
        crash.reason(),
        crash.powerCut(),
        OptionalLong.of(acknowledged),
        List.of(),
        List.of());
  }

  private static CrashTrialResult.PowerCut powerCut(long standstill) {
    return new CrashTrialResult.PowerCut(
        "ext4",
        "some",
        17,
        4096,
        1_900,
        40,
        163_840,
        40,
        21,
        100_000_000,
        standstill,
        4,
        0,
        OptionalLong.of(1_000_000));
  }

  private static CrashTrialResult done(Crash... kills) {
    return new CrashTrialResult(false, List.of(kills), "");
  }

  private static Crash kill(long acknowledged, long lost, long wrong) {
    boolean well = lost + wrong == 0;
    String example = "0000000000000042: version 1 was acknowledged, and it is not there";
    LostWrites losses =
        new LostWrites(
            acknowledged * 3 / 4,
            lost - lost / 3,
            lost / 3,
            0,
            wrong,
            0,
            well ? "" : example,
            lost == 0 ? OptionalLong.empty() : OptionalLong.of(80_000_000),
            lost == 0 ? OptionalLong.empty() : OptionalLong.of(1_000_000));
    return new Crash(
        "was killed by SIGKILL (exit status 137)",
        acknowledged,
        OptionalLong.of(31_000_000),
        Optional.of(losses),
        "",
        Optional.empty(),
        OptionalLong.of(acknowledged / 2),
        List.of(),
        List.of());
  }
}
