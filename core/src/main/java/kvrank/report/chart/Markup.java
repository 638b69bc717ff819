package kvrank.report.chart;

import java.util.ArrayDeque;
import java.util.Deque;
import kvrank.input.Printable;

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

  /** Escapes {@code text}; unprintable characters become U+FFFD. */
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
                default -> escaped.appendCodePoint(Printable.is(point) ? point : 0xFFFD);
              }
            });
    return escaped.toString();
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
