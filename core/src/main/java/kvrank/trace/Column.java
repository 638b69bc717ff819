package kvrank.trace;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import kvrank.workload.request.Labelled;

/**
 * A column of a recording.
 *
 * @param name its name in messages, and in a header line
 */
record Column(Meaning meaning, String name) {

  /**
   * The meaning of a column; the label is its name in {@code --columns}. Other names in header
   * lines are in lower case, without marks.
   */
  enum Meaning implements Labelled {
    /** Seconds. */
    TIME(1_000_000, 1, "timestamp", "optime", "ts"),
    TIME_MS(1_000, 1, "timestampms"),
    TIME_US(1, 1, "timestampus"),
    TIME_NS(1, 1_000, "timestampns"),
    /** Windows's file time, 100 ns. */
    TIME_FILE(1, 10),
    KEY(0, 1, "anonymizedkey", "objid", "objectid"),
    /** A key as 0x and hexadecimal digits. */
    KEY_HEX(0, 1),
    KEY_SIZE(1, 1),
    /** The length of the value, in bytes. */
    SIZE(1, 1, "valuesize", "objsize", "objectsize"),
    OP(0, 1, "operation"),
    /** The number of equal requests that the line stands for. */
    COUNT(1, 1, "opcount"),
    /** The number of these requests that hit. */
    HITS(1, 1, "cachehits", "hit"),
    /** The time to live in seconds. */
    TTL(1_000, 1),
    /** Distinguishes keys of the same name. */
    SPACE(0, 1),
    UNREAD(0, 1);

    /** The factor and the divisor of a number to its unit here; no number if the factor is 0. */
    private final int factor;

    private final int divisor;
    private final String aliases;

    Meaning(int factor, int divisor, String... aliases) {
      this.factor = factor;
      this.divisor = divisor;
      this.aliases = plain(label()) + " " + String.join(" ", aliases);
    }

    int factor() {
      return factor;
    }

    int divisor() {
      return divisor;
    }

    boolean number() {
      return factor > 0;
    }

    boolean isCalled(String name) {
      return List.of(aliases.split(" ", -1)).contains(name);
    }

    boolean time() {
      return compareTo(TIME_FILE) <= 0;
    }
  }

  private static final List<Meaning> NAMED =
      Arrays.stream(Meaning.values())
          .filter(
              each ->
                  !EnumSet.of(Meaning.TIME_FILE, Meaning.KEY_HEX, Meaning.SPACE, Meaning.UNREAD)
                      .contains(each))
          .toList();

  /** Returns the names that {@code --columns} takes. */
  static List<String> names() {
    return NAMED.stream().map(Meaning::label).toList();
  }

  static Column unread(String name) {
    return new Column(Meaning.UNREAD, name);
  }

  /** Returns the column of a name in a header line; it is not read if the name is unknown. */
  static Column named(String name) {
    Optional<Meaning> meaning =
        NAMED.stream().filter(each -> each.isCalled(plain(name))).findFirst();
    return new Column(meaning.orElse(Meaning.UNREAD), name.strip());
  }

  /** Returns whether a name in a header line is a name of this column. */
  boolean isNamed(String given) {
    return plain(name).equals(plain(given))
        || (meaning != Meaning.UNREAD && named(given).meaning == meaning);
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
