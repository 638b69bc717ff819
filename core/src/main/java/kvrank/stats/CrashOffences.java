package kvrank.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvrank.failure.Cause;
import kvrank.results.CrashTrialResult;
import kvrank.results.CrashTrialResult.Crash;
import kvrank.results.CrashTrialResult.LostWrites;

/** The text about crashes that an engine should survive without a loss, and did not. */
record CrashOffences(CrashLosses losses) {

  /** Returns all of them, the losses first; empty without any. */
  String text() {
    List<String> parts = new ArrayList<>();
    if (losses.lost() > 0) {
      parts.add(
          "LOST %,d acknowledged write%s in %d%s"
              .formatted(
                  losses.lost(),
                  losses.lost() == 1 ? "" : "s",
                  losses.crashesWith(LostWrites::lost),
                  of()));
    } else if (losses.wrong() > 0) {
      parts.add(
          "returned %,d WRONG records after %d%s".formatted(losses.wrong(), losses.losing(), of()));
    }
    parts.addAll(others());
    return String.join(", ", parts);
  }

  /** Returns those besides lost or wrong records. */
  List<String> others() {
    List<String> parts = new ArrayList<>();
    unavailable().ifPresent(parts::add);
    if (losses.missing().contains(Cause.ENGINE) && !losses.powerCut()) {
      parts.add("failed before it was killed");
    }
    if (parts.isEmpty()
        && losses.losing() == 0
        && losses.synced()
        && losses.acknowledgedWhileFrozen() > 0) {
      parts.add(
          "acknowledged %,d writes while the disk stood still"
              .formatted(losses.acknowledgedWhileFrozen()));
    }
    return parts;
  }

  /** Returns the crashes after which it did not restart or could not be read. */
  Optional<String> unavailable() {
    List<String> parts = new ArrayList<>();
    if (losses.dead() > 0) {
      parts.add("did not restart after %d%s".formatted(losses.dead(), of()));
    }
    losses
        .patience()
        .ifPresent(
            time ->
                parts.add(
                    "did not answer within %d s after %d%s"
                        .formatted(time.toSeconds(), losses.silent(), of())));
    if (losses.unreadable() > 0) {
      parts.add("could not be read after %d%s".formatted(losses.unreadable(), of()));
    }
    if (parts.isEmpty() && losses.ended() >= Crash.REPEATEDLY) {
      parts.add("ended %d times before its records were read".formatted(losses.ended()));
    }
    return Optional.of(String.join(", ", parts)).filter(text -> !text.isEmpty());
  }

  private String of() {
    return " of " + CrashTrialResult.label(losses.crashes().size(), losses.powerCut());
  }
}
