package kvrank.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.ExecutionResults;
import kvrank.results.Outcome;
import kvrank.results.PhaseRecord;
import kvrank.results.RunRecord;
import kvrank.stats.Runs;

/** Crash tests of all kinds. The numbers are made up. */
public final class CrashExamples {

  private static final List<String> ENGINES =
      List.of("redis", "redis-no-persistence", "ignix", "rocksdb", "kvrocks", "far-away");

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
    List<PhaseRecord> phases =
        List.of(
            Runs.phase("load")
                .at(point)
                .operation("insert", 40_000.0 + repetition)
                .threads(4)
                .build());
    RunRecord run = Runs.run(engine).at(point).repetition(repetition).phases(phases).build();
    return Runs.from(run).crashTest(test(engine, fsync, repetition)).build();
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
                      "did not restart: kvrocks is not ready: it exited with status 1"))
              : new CrashTrialResult(List.of(kill(9_500, 0, 0)), "crash 2: the port is taken");
      default ->
          new CrashTrialResult(List.of(), "unsupported: kvrank does not kill external servers");
    };
  }

  private static CrashTrialResult done(Crash... kills) {
    return new CrashTrialResult(List.of(kills), "");
  }

  private static Crash kill(long acknowledged, long lost, long wrong) {
    boolean well = lost + wrong == 0;
    String example = "0000000000000042: version 1 was acknowledged, and it is not there";
    LostWrites losses =
        new LostWrites(
            acknowledged * 3 / 4, lost - lost / 3, lost / 3, 0, wrong, 0, well ? "" : example);
    return new Crash(
        "was killed by SIGKILL (exit status 137)",
        acknowledged,
        OptionalLong.of(31_000_000),
        Optional.of(losses),
        "");
  }
}
