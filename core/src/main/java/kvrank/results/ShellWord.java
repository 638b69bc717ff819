package kvrank.results;

import java.util.regex.Pattern;

/** Texts in commands that a message suggests, quoted so that a shell takes each as one word. */
public final class ShellWord {

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}_./:@%+=,…-]+");

  /** Characters that mean something in double quotes. */
  private static final Pattern SPECIAL = Pattern.compile(".*[\"$`\\\\!\\n].*", Pattern.DOTALL);

  private ShellWord() {}

  /** Returns {@code word} itself, or in quotes if it has spaces or other special characters. */
  public static String of(Object word) {
    String text = word.toString();
    if (PLAIN.matcher(text).matches()) {
      return text;
    }
    // Messages have commands in single quotes.
    return SPECIAL.matcher(text).matches()
        ? "'" + text.replace("'", "'\\''") + "'"
        : '"' + text + '"';
  }
}
