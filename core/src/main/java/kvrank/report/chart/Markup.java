package kvrank.report.chart;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes markup that is well-formed XML and has the same meaning as HTML. */
public final class Markup {

  private final StringBuilder text = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element; attributes are names and values in turn, and null values are left out. */
  public Markup open(String tag, String... attributes) {
    tag(tag, attributes).append('>');
    open.push(tag);
    return this;
  }

  public Markup close() {
    text.append("</").append(open.pop()).append('>');
    return this;
  }

  public Markup empty(String tag, String... attributes) {
    tag(tag, attributes).append("/>");
    return this;
  }

  /** Adds an element with text. */
  public Markup element(String tag, String content, String... attributes) {
    return open(tag, attributes).text(content).close();
  }

  /** Adds escaped text. */
  public Markup text(String content) {
    text.append(escape(content));
    return this;
  }

  /** Adds trusted markup as it is. */
  public Markup raw(String markup) {
    text.append(markup);
    return this;
  }

  /** Adds a line end, for readers of the source. */
  public Markup line() {
    text.append('\n');
    return this;
  }

  private StringBuilder tag(String tag, String... attributes) {
    text.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      if (attributes[i + 1] != null) {
        text.append(' ').append(attributes[i]).append("=\"");
        text.append(escape(attributes[i + 1])).append('"');
      }
    }
    return text;
  }

  /** Escapes {@code text}; characters that XML does not allow become U+FFFD. */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(printable(point) ? point : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  public static boolean printable(int point) {
    return point == '\n'
        || point == '\t'
        || (point >= 0x20 && point < 0x7F)
        || (point >= 0xA0 && point < 0xD800 && !hidden(point))
        || (point >= 0xE000 && point < 0xFFFE)
        || point >= 0x10000;
  }

  /** Returns whether a character is invisible, or changes lines or the direction of text. */
  private static boolean hidden(int point) {
    return point == 0x00AD
        || point == 0x061C
        || point == 0x200B
        || point == 0x200E
        || point == 0x200F
        || (point >= 0x2028 && point <= 0x202E)
        || (point >= 0x2066 && point <= 0x2069);
  }

  /** Returns the markup; all elements must be closed. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
    return text.toString();
  }
}
