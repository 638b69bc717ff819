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

  /** Whether anything is gone, at a level that allows it or not. */
  boolean costs() {
    return sum(Crashes::lost) + sum(Crashes::wrong) + dead() > 0;
  }

  /** The share of the losses if it is most, and the numbers of writes if they are unlike. */
  private String details() {
    List<String> details = new ArrayList<>();
    long checked = sum(crash -> crash.lostWrites().orElseThrow().checked());
    if (2 * sum(Crashes::lost) > checked) {
      double percent = 100.0 * sum(Crashes::lost) / checked;
      details.add(
          (percent == 100 ? "all" : "%.1f %% of those".formatted(percent))
              + " that can be checked");
    }
    long[] each =
        all.stream().filter(this::proves).mapToLong(Crash::acknowledged).sorted().toArray();
    if (each[each.length - 1] > 10 * each[0]) {
      details.add("%,d to %,d before each".formatted(each[0], each[each.length - 1]));
    }
    return details.isEmpty() ? "" : " (" + String.join("; ", details) + ")";
  }

  String text() {
    List<String> parts = new ArrayList<>();
    long proving = all.stream().filter(this::proves).count();
    String among = proving == all.size() ? "" : " in the " + proving + " that prove something";
    if (sum(Crashes::lost) > 0) {
      parts.add(
          "lost %,d of %,d acknowledged writes%s"
              .formatted(sum(Crashes::lost), sum(Crash::acknowledged), among + details()));
    } else if (all.stream().anyMatch(this::proves)) {
      parts.add(
          "lost no acknowledged write of %,d%s"
              .formatted(sum(Crash::acknowledged), among + details()));
    } else if (dead() == 0) {
      parts.add("may lose writes: %d of %s proved nothing".formatted(all.size(), label()));
    }
    if (sum(Crashes::wrong) > 0) {
      parts.add("read %,d wrong records".formatted(sum(Crashes::wrong)));
    }
    if (dead() > 0) {
      long unread =
          all.stream()
              .filter(crash -> crash.restartNanos().isEmpty())
              .mapToLong(Crash::acknowledged)
              .sum();
      parts.add("did not restart after %d of %s".formatted(dead(), label()));
      parts.add("so %,d acknowledged writes could not be read".formatted(unread));
    }
    return "%s it %s (%s at fsync=%s)".formatted(label(), String.join(", ", parts), place, level);
  }
}
