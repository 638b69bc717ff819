package kvrank;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What people read of a file: of Java its comments and strings, of Markdown all but code, of YAML
 * everything. Each stretch of white space is one blank, and code one character that no pattern
 * matches.
 */
final class Prose {

  private static final char LEFT_OUT = '\0';

  private static final Pattern JAVA =
      Pattern.compile(
          "//[^\n]*|(?s:/\\*.*?\\*/)|(?s:\"\"\".*?\"\"\")|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)+'");

  /** Comments' margins, and what joins two strings. */
  private static final Pattern JAVA_JOINTS =
      Pattern.compile("(?m)^ *(?:/\\*\\*?|\\*(?!/)|//)|\" *\n? *\\+ *\n? *\"");

  private static final Pattern JAVA_CODE =
      Pattern.compile("(?s)\\{@(?:code|link\\w*|value)\\b[^}]*\\}|<pre>.*?</pre>");

  private static final Pattern MARKDOWN_CODE =
      Pattern.compile("(?ms)^```.*?^```|`[^`\n]+`|\\]\\([^)]*\\)");

  private final String text;

  /** The line of the file that each character is from, counted from 1. */
  private final int[] lines;

  private Prose(String text, int[] lines) {
    this.text = text;
    this.lines = lines;
  }

  static Prose of(Path file) throws IOException {
    String text = Files.readString(file);
    char[] kept = text.toCharArray();
    if (file.toString().endsWith(".java")) {
      Arrays.fill(kept, LEFT_OUT);
      for (MatchResult part : JAVA.matcher(text).results().toList()) {
        if (text.charAt(part.start()) != '\'') {
          text.getChars(part.start(), part.end(), kept, part.start());
        }
      }
      blank(text, JAVA_JOINTS, kept, ' ');
      blank(text, JAVA_CODE, kept, LEFT_OUT);
    } else if (file.toString().endsWith(".md")) {
      blank(text, MARKDOWN_CODE, kept, LEFT_OUT);
    }
    StringBuilder prose = new StringBuilder();
    int[] lines = new int[kept.length];
    int line = 1;
    for (int i = 0; i < kept.length; i++) {
      char c = Character.isWhitespace(kept[i]) ? ' ' : kept[i];
      if ((c != ' ' && c != LEFT_OUT) || prose.isEmpty() || prose.charAt(prose.length() - 1) != c) {
        lines[prose.length()] = line;
        prose.append(c);
      }
      if (text.charAt(i) == '\n') {
        line++;
      }
    }
    return new Prose(prose.toString(), lines);
  }

  private static void blank(String text, Pattern pattern, char[] kept, char with) {
    pattern
        .matcher(text)
        .results()
        .forEach(found -> Arrays.fill(kept, found.start(), found.end(), with));
  }

  String text() {
    return text;
  }

  /** Returns the line of the file that the character at {@code index} is from. */
  int line(int index) {
    return lines[index];
  }
}
