package kvrank.site.advice;

import kvrank.report.ranking.Labels;

/** What a level of durability may lose, for a reader who has to choose one. */
public final class Promise {

  private Promise() {}

  /** Returns for example {@code may lose the last 1s in a power cut}; empty without a promise. */
  public static String of(String level) {
    String weakest = level.replaceFirst("^at-least-", "");
    return switch (weakest) {
      case "", "as-is" -> "";
      case "on" -> "loses no acknowledged write, even in a power cut";
      case "off" -> "may lose writes in a crash or a power cut";
      case "none" -> "may lose everything when the process ends";
      default ->
          "may lose the last %s in a power cut".formatted(weakest.replaceFirst("^every-", ""));
    };
  }

  /** Returns for example {@code it syncs each write there (fsync=on)}, of a level with syncs. */
  static String syncs(String level) {
    String when = level.equals("on") ? "each write" : level.replaceFirst("^every-", "every ");
    return "it syncs %s there (%s)".formatted(when, at(level));
  }

  /** Returns for example {@code fsync=off}; empty without a level. */
  public static String at(String level) {
    return level.isEmpty() ? "" : "fsync=" + level;
  }

  /** Returns for example {@code May lose the last 1s in a power cut (fsync=every-1s)}. */
  public static String title(String level) {
    String promise = of(level);
    return promise.isEmpty() ? at(level) : Labels.capitalized(promise) + " (" + at(level) + ")";
  }
}
