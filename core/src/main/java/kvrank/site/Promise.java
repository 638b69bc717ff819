package kvrank.site;

import kvrank.report.ranking.Labels;

/** What a level of durability may lose, for a reader who has to choose one. */
final class Promise {

  private Promise() {}

  /** Returns for example {@code may lose the last 1s in a power cut}; empty without a promise. */
  static String of(String level) {
    String weakest = level.replaceFirst("^at-least-", "");
    return switch (weakest) {
      case "", "as-is" -> "";
      case "on" -> "loses no acknowledged write, even in a power cut";
      case "off" -> "may lose the latest writes in a power cut";
      case "none" -> "may lose everything when the process ends";
      default ->
          "may lose the last %s in a power cut".formatted(weakest.replaceFirst("^every-", ""));
    };
  }

  /** Returns for example {@code May lose the last 1s in a power cut (fsync=every-1s)}. */
  static String title(Choice choice) {
    String promise = of(choice.level());
    return promise.isEmpty() ? choice.at() : Labels.capitalized(promise) + " (" + choice.at() + ")";
  }
}
