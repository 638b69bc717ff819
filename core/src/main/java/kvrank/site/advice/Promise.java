package kvrank.site.advice;

import kvrank.engine.Fsync;
import kvrank.report.ranking.Labels;

/** What a level of durability may lose, for a reader who has to choose one. */
public final class Promise {

  private Promise() {}

  /** Returns for example {@code may lose the last 1s in a power cut}; empty without a promise. */
  public static String of(String level) {
    return Fsync.weakest(level).map(Fsync::losses).orElse("");
  }

  /** Returns for example {@code it syncs each write there (fsync=on)}, of a level with syncs. */
  static String syncs(String level) {
    String synced = Fsync.weakest(level).map(Fsync::synced).orElse("");
    return "it syncs %s there (%s)".formatted(synced, at(level));
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
