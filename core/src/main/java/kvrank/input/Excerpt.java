package kvrank.input;

import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What may be shown of a text around a place where something is wrong; passwords are asterisks. */
public final class Excerpt {

  /** How much of a line is read before the caret, and after it. */
  private static final int READ = 1_000;

  /** How much of it is shown. */
  private static final int WIDEST = 200;

  /** What messages and paths repeat of a text. */
  private static final Pattern REPEATED =
      Pattern.compile("(?<=['\"])[^'\"]+(?=['\"])|(?<=alias )\\S+|(?<=\\.)[^.\\[\\s]+");

  /** A key behind another one in a map of one line; what has no value may be part of a password. */
  private static final Pattern NEXT_KEY = Pattern.compile("(?<=, )[A-Za-z][\\w-]*(?=: )");

  private final String line;
  private final int caret;

  /** The hidden text that the caret is in; empty if it is in none. */
  private final String secret;

  /** Lines and columns count from 1; {@code line} is 0 if there is none. */
  public Excerpt(List<String> lines, int line, int column) {
    String all = line < 1 || line > lines.size() ? "" : lines.get(line - 1);
    int from = Math.min(all.length(), Math.max(0, column - 1 - READ));
    String text = all.substring(from, Math.min(all.length(), Math.max(0, column - 1) + READ));
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

  /** Returns whether a line is farther in than the key of a secret that has no value beside it. */
  private static boolean belongsToSecret(List<String> lines, int line) {
    if (line < 1 || line > lines.size()) {
      return false;
    }
    String text = lines.get(line - 1);
    int indent = indent(text);
    // An item of a list may stand as far out as its key.
    boolean item = text.startsWith("-", indent);
    for (int above = line - 2; above >= 0; above--) {
      String outer = lines.get(above);
      int own = indent(outer);
      if (!outer.isBlank()
          && (own < indent || (item && own == indent && !outer.startsWith("-", own)))) {
        indent = own;
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

  /** Returns a message about the place, or its path, without what is hidden there. */
  public String message(String message) {
    return REPEATED
        .matcher(Redaction.ofMessage(message))
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    secret.contains(found.group())
                        ? "*".repeat(found.group().length())
                        : found.group()));
  }

  /** Returns the line and a caret under the place; empty if there is no such line. */
  @Override
  public String toString() {
    if (line.isEmpty()) {
      return "";
    }
    String text = line;
    int at = caret;
    if (at > WIDEST) {
      text = "…" + text.substring(Math.min(text.length(), at - WIDEST / 2));
      at = WIDEST / 2 + 1;
    }
    if (text.length() > at + WIDEST) {
      text = text.substring(0, at + WIDEST) + "…";
    }
    // A tab stays a tab, so that the caret stands under its character whatever a tab's width is.
    String before = text.substring(0, Math.min(at, text.length())).replaceAll("[^\t]", " ");
    return text + "\n" + before + " ".repeat(at - before.length()) + "^";
  }
}
