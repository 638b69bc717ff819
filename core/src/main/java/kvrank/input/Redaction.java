package kvrank.input;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where in a text that is to be shown a password is, or stands where one should. It goes by words,
 * since a text that is shown has a mistake and need not mean anything; in doubt it hides more.
 */
public final class Redaction {

  /** A key that is near to one of these has a secret. */
  private static final List<String> SECRETS =
      List.of("credential", "credentials", "passphrase", "password", "secret", "token", "user");

  /** Words that are too short for others to be near to them. */
  private static final Set<String> SHORT =
      Set.of("apikey", "authentication", "authorization", "login", "psw", "pw", "pwd");

  /** Words of settings that are near to one of a secret, and mean another thing. */
  private static final Set<String> ORDINARY =
      Set.of(
          "broken", "busier", "ever", "iter", "open", "over", "peer", "socket", "spoken", "take",
          "taken", "takes", "then", "torn", "under", "upper", "upsert", "use", "usec", "used",
          "uses", "zset");

  private static final Pattern KEY =
      Pattern.compile(
          "(?<![\\w.-])([\\w.-]{2,40}+)[\"']? *[:=] *|^[ '-]*+([\\w.-]{2,40}+) +(?=\\S)");

  /**
   * What may stand where a secret would: where it is, the plain name of a user, or the port of an
   * address whose host is called so.
   */
  private static final Pattern PUBLIC =
      Pattern.compile(
          "\\{ *(?:(?:env|file): *[^,{}\\[:\"']+(?:, *)?)+}|(?<=\\buser: )[\\w-]+(?=[,}]|$)"
              + "|(?<=[\\w.-]:)[0-9]{1,5}(?=: )");

  /** What may follow a value that ends. */
  private static final Pattern CLOSING = Pattern.compile("[\\s\"'}\\])]*+$");

  /** What stands before the host of an address, but not before the digest of an image. */
  private static final Pattern AT = Pattern.compile("@(?!sha256:)");

  /** The scheme of an address, or its begin as far as a colon. */
  private static final Pattern ADDRESS =
      Pattern.compile("://|(?<![^\\s\"'{\\[,(=])[^\\s\"'{\\[,(=/:]*+:(?=[^\\s/])");

  /** What stands where an address has its port, and is none. */
  private static final Pattern NO_PORT =
      Pattern.compile(
          "://[^\\s:/@\"']{0,60}:(?![0-9]{1,5}(?:[^\\w.-]|$))(?<secret>[^\\s\"',}\\]@]++)(?!@)");

  private Redaction() {}

  /** Returns a message, in which what the user wrote stands in quotes, without passwords. */
  public static String ofMessage(String message) {
    int end = message.lastIndexOf('\'');
    String repeated = end < 0 ? message : message.substring(0, end);
    return of(repeated, hidden(repeated)) + message.substring(repeated.length());
  }

  /** Returns {@code text} with an asterisk for each character that is hidden. */
  static String of(String text, BitSet hidden) {
    StringBuilder shown = new StringBuilder(text);
    hidden.stream().forEach(index -> shown.setCharAt(index, '*'));
    return shown.toString();
  }

  /** Returns which characters of {@code text} are not to be shown. */
  static BitSet hidden(String text) {
    BitSet hidden = new BitSet();
    int value = secret(text);
    if (value >= 0) {
      Matcher closing = CLOSING.matcher(text);
      hidden.set(value, Math.max(value, closing.find(value) ? closing.start() : text.length()));
    }
    int at = AT.matcher(text).results().mapToInt(found -> found.start()).max().orElse(0);
    hidden.set(address(text, at), at);
    Matcher port = NO_PORT.matcher(text);
    while (port.find()) {
      hidden.set(port.start("secret"), port.end("secret"));
    }
    return hidden;
  }

  /** Returns where the value of the first key that has a secret begins; -1 if there is none. */
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

  /** Returns where the address begins that has its @ at {@code at}. */
  private static int address(String text, int at) {
    Matcher address = ADDRESS.matcher(text).region(0, at);
    if (address.find()) {
      return address.group().equals("://") ? address.end() : address.start();
    }
    int begin = at;
    while (begin > 0 && "\t \"'{[,(=/".indexOf(text.charAt(begin - 1)) < 0) {
      begin--;
    }
    return begin;
  }

  /** Returns whether {@code key} is that of a secret, in whatever spelling. */
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
