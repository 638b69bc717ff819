package kvrank.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Labelled;

/**
 * A level of durability: the promise that an acknowledged write carries.
 *
 * @param interval between syncs by a timer; zero for the other kinds
 */
public record Fsync(Kind kind, Duration interval) {

  /** A promise; the strongest first. */
  public enum Kind implements Labelled {
    /** The write is on stable storage. */
    ON("writes are synced", "each write", "must keep each acknowledged write, even in a power cut"),
    /** The write reaches stable storage within the interval. */
    EVERY("synced every %s", "every %s", "may lose the last %s in a power cut"),
    /** The write goes to a log or a file that is not synced. */
    OFF("writes are not synced", "", "may lose writes in a crash or a power cut"),
    /** No promise: the engine has no log. */
    NONE("no log", "", "may lose everything when the process ends"),
    /** The setting of an external server, whatever it is. */
    AS_IS("", "", "");

    private final String meaning;
    private final String synced;
    private final String losses;

    Kind(String meaning, String synced, String losses) {
      this.meaning = meaning;
      this.synced = synced;
      this.losses = losses;
    }
  }

  public static final Fsync ON = new Fsync(Kind.ON, Duration.ZERO);
  public static final Fsync OFF = new Fsync(Kind.OFF, Duration.ZERO);
  public static final Fsync NONE = new Fsync(Kind.NONE, Duration.ZERO);
  public static final Fsync AS_IS = new Fsync(Kind.AS_IS, Duration.ZERO);

  /** The setting of an external server, which may be any level, is last. */
  public static final Comparator<Fsync> STRONGEST_FIRST =
      Comparator.comparing(Fsync::kind).thenComparing(Fsync::interval);

  /** The start of the label of a setting that also admits stronger levels. */
  public static final String AT_LEAST = "at-least-";

  private static final String EVERY = "every-";
  private static final String EVERY_SECOND = "everysec";

  public static Fsync every(Duration interval) {
    return new Fsync(Kind.EVERY, interval);
  }

  /** Returns the names that a scenario may write; an interval is written as {@code {every: …}}. */
  public static List<String> names() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind == Kind.EVERY ? EVERY_SECOND : kind.label())
        .sorted()
        .toList();
  }

  /** Returns the level with this label, or {@code everysec}; empty if there is none. */
  public static Optional<Fsync> parse(String label) {
    if (label.startsWith(EVERY)) {
      return DurationFormat.parse(label.substring(EVERY.length()))
          .filter(interval -> !interval.isZero())
          .map(Fsync::every);
    }
    return label.equals(EVERY_SECOND)
        ? Optional.of(every(Duration.ofSeconds(1)))
        : Labelled.of(Kind.class, label)
            .filter(kind -> kind != Kind.EVERY)
            .map(kind -> new Fsync(kind, Duration.ZERO));
  }

  /**
   * Returns the weakest level that a setting such as {@code at-least-every-1s} admits; empty for a
   * setting that is a level itself.
   */
  public static Optional<Fsync> atLeast(String setting) {
    return setting.startsWith(AT_LEAST)
        ? parse(setting.substring(AT_LEAST.length())).filter(Fsync::promises)
        : Optional.empty();
  }

  /** Returns the level that a setting names, or the weakest that it admits; empty for none. */
  public static Optional<Fsync> weakest(String setting) {
    return setting.startsWith(AT_LEAST) ? atLeast(setting) : parse(setting);
  }

  /** Returns the level with a valid label. */
  public static Fsync of(String label) {
    return parse(label).orElseThrow(() -> new IllegalArgumentException(label));
  }

  /** Returns the name in results, tables and file names, such as {@code every-100ms}. */
  public String label() {
    return kind == Kind.EVERY ? EVERY + DurationFormat.format(interval) : kind.label();
  }

  /** Returns the meaning for writes, such as {@code synced every 1s}; empty if it is unknown. */
  public String meaning() {
    return withInterval(kind.meaning);
  }

  /** Returns the writes that one sync covers, such as {@code each write}; empty without syncs. */
  public String synced() {
    return withInterval(kind.synced);
  }

  /** Returns the possible losses, such as {@code may lose the last 1s in a power cut}. */
  public String losses() {
    return withInterval(kind.losses);
  }

  private String withInterval(String text) {
    return text.formatted(DurationFormat.format(interval));
  }

  /** Returns whether the promise needs syncs. */
  public boolean promises() {
    return kind == Kind.ON || kind == Kind.EVERY;
  }

  /** Returns whether a setting may promise syncs; that of an external server may be any level. */
  public static boolean mayPromise(String setting) {
    return weakest(setting)
        .filter(level -> !level.promises() && level.kind != Kind.AS_IS)
        .isEmpty();
  }

  /** Returns {@code text} with the placeholders of the interval resolved. */
  public String resolve(String text) {
    return text.replace("${every-millis}", Long.toString(interval.toMillis()))
        .replace("${every-micros}", Long.toString(interval.toNanos() / 1000));
  }
}
