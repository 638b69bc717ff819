package kvrank.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import kvrank.results.CrashTrialResult.Crash;

/** The crashes of an engine at a level in results, as a reader of the records counts them. */
record Crashes(String place, String level, String engine, boolean powerCut, List<Crash> all) {

  private boolean proves(Crash crash) {
    return crash.lostWrites().isPresent()
        && (lost(crash) + wrong(crash) > 0 || crash.lately().orElseThrow() >= 10);
  }

  private static long lost(Crash crash) {
    return crash.lostWrites().map(found -> found.lost()).orElse(0L);
  }

  private static long wrong(Crash crash) {
    return crash.lostWrites().map(found -> found.wrong()).orElse(0L);
  }

  long sum(ToLongFunction<Crash> what) {
    return all.stream().filter(this::proves).mapToLong(what).sum();
  }

  long dead() {
    return all.stream().filter(crash -> crash.restartNanos().isEmpty()).count();
  }

  boolean proves() {
    return all.stream().anyMatch(this::proves) && !unsafe();
  }

  boolean unsafe() {
    return sum(Crashes::wrong) > 0 || (level.equals("on") && sum(Crashes::lost) + dead() > 0);
  }

  boolean doubted() {
    return level.equals("on") && dead() == 0 && !unsafe() && !proves();
  }

  String label() {
    int number = all.size();
    return number
        + (powerCut ? " power cut" : " crash")
        + (number == 1 ? "" : powerCut ? "s" : "es");
  }

  String text() {
    List<String> parts = new ArrayList<>();
    if (sum(Crashes::lost) > 0) {
      parts.add(
          "lost %,d of %,d acknowledged writes"
              .formatted(sum(Crashes::lost), sum(Crash::acknowledged)));
    } else if (all.stream().anyMatch(this::proves)) {
      parts.add("lost no acknowledged write of %,d".formatted(sum(Crash::acknowledged)));
    } else if (dead() == 0) {
      parts.add("may lose writes: %d of %s proved nothing".formatted(all.size(), label()));
    }
    if (sum(Crashes::wrong) > 0) {
      parts.add("read %,d wrong records".formatted(sum(Crashes::wrong)));
    }
    if (dead() > 0) {
      parts.add("did not restart after %d of %s".formatted(dead(), label()));
    }
    return "%s it %s (%s at fsync=%s)".formatted(label(), String.join(", ", parts), place, level);
  }
}
