package kvrank.results.pack;

import java.util.List;
import java.util.OptionalInt;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;
import kvrank.results.RunRecord;

/** Compares the parts of a crash test with each other: a pack has no raw files of crashes. */
final class RawCrashes {

  private RawCrashes() {}

  /**
   * Adds what the crashes of a run contradict.
   *
   * @param planned the number of crashes; empty if the scenario has none
   */
  static void compare(RunRecord run, OptionalInt planned, Contradictions found) {
    if (run.crashTest().isEmpty()) {
      return;
    }
    CrashTrialResult test = run.crashTest().get();
    int least = planned.orElse(0);
    if (test.missing().isEmpty() && test.crashes().size() < least) {
      found.add(
          "crashTest: has %d of %d crashes, and no reason for that"
              .formatted(test.crashes().size(), least));
    }
    List<Crash> crashes = test.crashes();
    for (int i = 0; i < crashes.size(); i++) {
      Crash crash = crashes.get(i);
      String place = "crash %d: ".formatted(i + 1);
      crash.lostWrites().ifPresent(lost -> losses(place, crash, lost, found));
      if (crash.lostWrites().isPresent() != crash.reason().isEmpty()) {
        found.add("%slostWrites and reason contradict each other".formatted(place));
      }
      crash
          .restartNanos()
          .ifPresent(
              nanos ->
                  found.atMost(
                      place + "restartNanos",
                      nanos,
                      run.time().toNanos(),
                      0,
                      "the time of the run"));
      crash
          .lately()
          .ifPresent(
              writes ->
                  found.atMost(place + "lately", writes, crash.acknowledged(), 0, "acknowledged"));
      crash
          .powerCut()
          .ifPresent(
              cut -> {
                found.atMost(
                    place + "powerCut.keptSectors", cut.keptSectors(), cut.sectors(), 0, "sectors");
                found.atMost(
                    place + "powerCut.acknowledgedWhileFrozen",
                    cut.acknowledgedWhileFrozen(),
                    crash.acknowledged(),
                    0,
                    "acknowledged");
              });
    }
  }

  private static void losses(String place, Crash crash, LostWrites lost, Contradictions found) {
    String figure = place + "lostWrites";
    found.atMost(figure + ".checked", lost.checked(), crash.acknowledged(), 0, "acknowledged");
    found.atMost(figure, lost.lost(), lost.checked(), 0, "checked");
    boolean aged = lost.oldestLostNanos().isPresent();
    if (aged != lost.lost() > 0
        || lost.newestLostNanos().isPresent() != aged
        || lost.example().isEmpty() == lost.lost() + lost.wrong() > 0) {
      found.add("%s: the counts, the ages and the example contradict each other".formatted(figure));
    }
    if (aged && lost.newestLostNanos().orElse(0) > lost.oldestLostNanos().getAsLong()) {
      found.add("%s: the newest lost write is older than the oldest".formatted(figure));
    }
  }
}
