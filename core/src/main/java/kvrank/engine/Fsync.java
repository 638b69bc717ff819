package kvrank.engine;

import java.time.Duration;
import java.util.Optional;
import kvrank.workload.request.DurationFormat;
import kvrank.workload.request.Labelled;

/**
 * A durability level, what the acknowledgement of a write promises. Each is a comparison group.
 *
 * @param interval how often an engine syncs that does so by a timer; zero for the other kinds
 */
public record Fsync(Kind kind, Duration interval) {

  /** What is promised. */
  public enum Kind implements Labelled {
    /** The write is on stable storage. */
    ON,
    /** It will be within the interval. */
    EVERY,
    /** It is on its way to a log or a file that nobody syncs. */
    OFF,
    /** Nothing: there is no log. */
    NONE,
    /** What the owner of an external server has set. */
    AS_IS
  }

  public static final Fsync ON = new Fsync(Kind.ON, Duration.ZERO);
  public static final Fsync OFF = new Fsync(Kind.OFF, Duration.ZERO);
  public static final Fsync NONE = new Fsync(Kind.NONE, Duration.ZERO);
  public static final Fsync AS_IS = new Fsync(Kind.AS_IS, Duration.ZERO);

  private static final String EVERY = "every-";

  /** Returns a sync by a timer. */
  public static Fsync every(Duration interval) {
    return new Fsync(Kind.EVERY, interval);
  }

  /** Returns the level with that label, or {@code everysec}; empty if there is none. */
  public static Optional<Fsync> parse(String label) {
    if (label.startsWith(EVERY)) {
      return DurationFormat.parse(label.substring(EVERY.length()))
          .filter(interval -> !interval.isZero())
          .map(Fsync::every);
    }
    return label.equals("everysec")
        ? Optional.of(every(Duration.ofSeconds(1)))
        : Labelled.of(Kind.class, label)
            .filter(kind -> kind != Kind.EVERY)
            .map(kind -> new Fsync(kind, Duration.ZERO));
  }

  /** Returns the level with that label, which there is. */
  public static Fsync of(String label) {
    return parse(label).orElseThrow(() -> new IllegalArgumentException(label));
  }

  /** Returns the name in results, tables and names of files, such as {@code every-100ms}. */
  public String label() {
    return kind == Kind.EVERY ? EVERY + DurationFormat.format(interval) : kind.label();
  }

  /** Returns whether anything is promised that a sync has to keep. */
  public boolean promises() {
    return kind == Kind.ON || kind == Kind.EVERY;
  }

  /** Returns {@code text} with the interval in the place of its placeholders. */
  public String resolve(String text) {
    return text.replace("${every-millis}", Long.toString(interval.toMillis()))
        .replace("${every-micros}", Long.toString(interval.toNanos() / 1000));
  }
}
