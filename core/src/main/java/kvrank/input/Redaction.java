package kvrank.input;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds passwords in texts that will be shown. It matches words, since the text of a problem may be
 * invalid YAML; in doubt it hides more.
 */
public final class Redaction {

  /** A word similar to one of these names a secret. */
  private static final List<String> SECRETS =
      List.of("credential", "credentials", "passphrase", "password", "secret", "token", "user");

  /** Words too short to compare by similarity, or unlike the others. */
  private static final Set<String> SHORT =
      Set.of("apikey", "authentication", "authorization", "login", "psw", "pw", "pwd");

  /** Ordinary words that resemble one of {@link #SECRETS}. */
  private static final Set<String> ORDINARY =
      Set.of(
          "broken", "busier", "ever", "iter", "open", "over", "peer", "socket", "spoken", "take",
          "taken", "takes", "then", "torn", "under", "upper", "upsert", "use", "usec", "used",
          "uses", "zset");

  private static final Pattern KEY =
      Pattern.compile(
          "(?<![\\w.-])([\\w.-]{2,40}+)[\"']? *[:=] *|^[ '-]*+([\\w.-]{2,40}+) +(?=\\S)");

  /** Values that are shown: the place of a secret, a plain user name, the port of an address. */
  private static final Pattern PUBLIC =
      Pattern.compile(
          "\\{ *(?:(?:env|file): *[^,{}\\[:\"']+(?:, *)?)+}|(?<=\\buser: )[\\w-]+(?=[,}]|$)"
              + "|(?<=[\\w.-]:)[0-9]{1,5}(?=: )");

  /** What may follow the end of a value. */
  private static final String CLOSING = " \t\n\u000B\f\r\"'}])";

  /** The {@code @} before the host of an address, but not before the digest of an image. */
  private static final Pattern AT = Pattern.compile("@(?!sha256:)");

  /** The scheme of an address, or its start up to a colon. */
  private static final Pattern ADDRESS =
      Pattern.compile("://|(?<![^\\s\"'{\\[,(=])[^\\s\"'{\\[,(=/:]*+:(?=[^\\s/])");

  /** Text at the position of an address's port that is not a port. */
  private static final Pattern NO_PORT =
      Pattern.compile(
          "://[^\\s:/@\"']{0,60}:(?![0-9]{1,5}(?:[^\\w.-]|$))(?<secret>[^\\s\"',}\\]@]++)(?!@)");

  private Redaction() {}

  /** Returns a message, which has the user's text in quotes, without passwords. */
  public static String ofMessage(String message) {
    int end = message.lastIndexOf('\'');
    String quoting = end < 0 ? message : message.substring(0, end);
    return of(quoting, hidden(quoting)) + message.substring(quoting.length());
  }

  /** Returns a line of a file without passwords. */
  public static String ofLine(String line) {
    return of(line, hidden(line));
  }

  /** Returns {@code text} with an asterisk for each character that is hidden. */
  static String of(String text, BitSet hidden) {
    StringBuilder shown = new StringBuilder(text);
    hidden.stream().forEach(index -> shown.setCharAt(index, '*'));
    return shown.toString();
  }

  /** Returns the characters of {@code text} that must not be shown. */
  static BitSet hidden(String text) {
    BitSet hidden = new BitSet();
    int value = secret(text);
    if (value >= 0) {
      int end = text.length();
      while (end > value && CLOSING.indexOf(text.charAt(end - 1)) >= 0) {
        end--;
      }
      hidden.set(value, end);
    }
    int at = AT.matcher(text).results().mapToInt(MatchResult::start).max().orElse(0);
    hidden.set(address(text, at), at);
    Matcher port = NO_PORT.matcher(text);
    while (port.find()) {
      hidden.set(port.start("secret"), port.end("secret"));
    }
    return hidden;
  }

  /** Returns the index of the first secret value; -1 if there is none. */
  static int secret(String text) {
    Matcher key = KEY.matcher(text);
    while (key.find()) {
      String name = key.group(1) == null ? key.group(2) : key.group(1);
      Matcher shown = PUBLIC.matcher(text).region(key.end(), text.length());
      if (isSecret(name) && !shown.useTransparentBounds(true).lookingAt()) {
        return key.end();
      }
    }
    return -1;
  }

  /** Returns the start of the address whose {@code @} is at {@code at}. */
  private static int address(String text, int at) {
    Matcher address = ADDRESS.matcher(text).region(0, at);
    if (address.find()) {
      return address.group().equals("://") ? address.end() : address.start();
    }
    int start = at;
    while (start > 0 && "\t \"'{[,(=/".indexOf(text.charAt(start - 1)) < 0) {
      start--;
    }
    return start;
  }

  /** Returns whether {@code key} names a secret, in any spelling. */
  public static boolean isSecret(String key) {
    return Stream.of(key.split("[-_.]|(?<=[a-z])(?=[A-Z])"))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .anyMatch(
            word ->
                word.contains("pass")
                    || word.endsWith("auth")
                    || SHORT.contains(word)
                    || (!ORDINARY.contains(word) && Suggestion.nearest(word, SECRETS).isPresent()));
  }
}
