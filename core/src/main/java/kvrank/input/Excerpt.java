package kvrank.input;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The line of a problem, with a caret under its column and asterisks instead of passwords. */
public final class Excerpt {

  /** Characters of a line that are read on each side of the caret. */
  private static final int READ = 1_000;

  /** Characters that are shown on each side of the caret. */
  private static final int SHOWN = 200;

  /** Parts of a message or a path that quote the text. */
  private static final Pattern REPEATED =
      Pattern.compile("(?<=['\"])[^'\"]+(?=['\"])|(?<=alias )\\S+|(?<=\\.)[^.\\[\\s]+");

  /** A key after another one in a one-line map. A word without a value may belong to a password. */
  private static final Pattern NEXT_KEY = Pattern.compile("(?<=, )[A-Za-z][\\w-]*(?=: )");

  private final String line;
  private final int caret;

  /** The hidden text at the caret; empty if the caret is outside of hidden text. */
  private final String secret;

  /** Lines and columns count from 1; {@code line} is 0 if the problem has no position. */
  public Excerpt(List<String> lines, int line, int column) {
    String full = line < 1 || line > lines.size() ? "" : lines.get(line - 1);
    int from = Math.min(full.length(), Math.max(0, column - 1 - READ));
    String text = full.substring(from, Math.min(full.length(), Math.max(0, column - 1) + READ));
    BitSet hidden = Redaction.hidden(text);
    this.caret = column - 1 - from;
    if (belongsToSecret(lines, line)) {
      hidden.set(Math.min(indent(text), text.length()), text.length());
    } else if (caret >= 0) {
      NEXT_KEY
          .matcher(text)
          .results()
          .filter(key -> key.start() == caret)
          .forEach(key -> hidden.clear(key.start(), key.end()));
    }
    this.line = Redaction.of(text, hidden);
    this.secret =
        caret >= 0 && hidden.get(caret)
            ? text.substring(hidden.previousClearBit(caret) + 1, hidden.nextClearBit(caret))
            : "";
  }

  /** Returns whether a line is indented below the key of a secret. */
  private static boolean belongsToSecret(List<String> lines, int line) {
    if (line < 1 || line > lines.size()) {
      return false;
    }
    String text = lines.get(line - 1);
    int indent = indent(text);
    // A list item may have the same indentation as its key.
    boolean item = text.startsWith("-", indent);
    for (int above = line - 2; above >= 0; above--) {
      String outer = lines.get(above);
      int outerIndent = indent(outer);
      if (!outer.isBlank()
          && (outerIndent < indent
              || (item && outerIndent == indent && !outer.startsWith("-", outerIndent)))) {
        indent = outerIndent;
        item = false;
        if (Redaction.secret(outer) >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static int indent(String text) {
    return text.length() - text.replaceFirst("^[ \t]+", "").length();
  }

  /** Returns a message or a path, with asterisks for what is hidden at the caret. */
  public String message(String message) {
    return REPEATED
        .matcher(Redaction.ofMessage(message))
        .replaceAll(
            quote ->
                Matcher.quoteReplacement(
                    secret.contains(quote.group())
                        ? "*".repeat(quote.group().length())
                        : quote.group()));
  }

  /** Returns the line, and the caret on a second line; empty if the problem has no line. */
  @Override
  public String toString() {
    if (line.isEmpty()) {
      return "";
    }
    String text = line;
    int at = caret;
    if (at > SHOWN) {
      text = "…" + text.substring(Math.min(text.length(), at - SHOWN / 2));
      at = SHOWN / 2 + 1;
    }
    if (text.length() > at + SHOWN) {
      text = text.substring(0, at + SHOWN) + "…";
    }
    // Tabs stay tabs, so that the caret is under its character at any tab width.
    String before = text.substring(0, Math.min(at, text.length())).replaceAll("[^\t]", " ");
    return text + "\n" + before + " ".repeat(at - before.length()) + "^";
  }
}
