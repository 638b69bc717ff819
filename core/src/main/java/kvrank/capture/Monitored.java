package kvrank.capture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A command as MONITOR shows it.
 *
 * @param seconds the time at the server, since 1970
 * @param database its number
 * @param arguments the command and its arguments, each up to {@value #MOST_BYTES} bytes
 */
record Monitored(double seconds, String database, List<byte[]> arguments) {

  /** One more than a key of a workload can have, so that longer ones are noticed. */
  static final int MOST_BYTES = 65_536;

  /** The most characters of a word with a meaning, or digits of a number. */
  private static final int LONGEST_WORD = 20;

  private static final int MOST_DIGITS = 15;

  /** Returns an argument in lower case; empty if it is missing or too long to have a meaning. */
  String word(int argument) {
    return argument < arguments.size() && arguments.get(argument).length <= LONGEST_WORD
        ? new String(arguments.get(argument), ISO_8859_1).toLowerCase(Locale.ROOT)
        : "";
  }

  /**
   * Returns the time to live in milliseconds that an argument sets; empty if it is not a number.
   *
   * @param unit how to read it: ex, px, exat or pxat
   */
  OptionalLong millis(String unit, int argument) {
    String word = word(argument);
    if (!word.matches("\\d{1," + MOST_DIGITS + "}")) {
      return OptionalLong.empty();
    }
    long number = Long.parseLong(word);
    long millis = unit.startsWith("ex") ? 1_000 * number : number;
    return OptionalLong.of(
        Math.max(1, unit.endsWith("at") ? millis - (long) (1e3 * seconds) : millis));
  }
}
