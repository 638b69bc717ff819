package kvrank.report.block;

import java.util.regex.Pattern;
import kvrank.input.Printable;

/** The width of text in columns of a terminal. */
public final class Width {

  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
  private static final Pattern CONTROLS = Pattern.compile("[\\s\\p{Cc}]+");

  private Width() {}

  /** Returns the width; combining marks take no column, East Asian wide characters two. */
  public static int of(String text) {
    return text.codePoints().map(Width::of).sum();
  }

  private static int of(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default -> wide(point) ? 2 : 1;
    };
  }

  private static boolean wide(int point) {
    return (point >= 0x1100 && point <= 0x115F)
        || (point >= 0x2E80 && point <= 0xA4CF)
        || (point >= 0xAC00 && point <= 0xD7A3)
        || (point >= 0xF900 && point <= 0xFAFF)
        || (point >= 0xFE30 && point <= 0xFE6F)
        || (point >= 0xFF00 && point <= 0xFF60)
        || (point >= 0xFFE0 && point <= 0xFFE6)
        || (point >= 0x1F300 && point <= 0x1FAFF)
        || (point >= 0x20000 && point <= 0x3FFFD);
  }

  public static String pad(String text, int width, Table.Align align) {
    String spaces = " ".repeat(Math.max(0, width - of(text)));
    return align == Table.Align.RIGHT ? spaces + text : text + spaces;
  }

  /** Removes colours, line ends and control characters, which a server's message may contain. */
  public static String oneLine(String text) {
    return plain(text)
        ? text
        : printable(CONTROLS.matcher(COLOURS.matcher(text).replaceAll("")).replaceAll(" ").strip());
  }

  /** Returns whether {@code text} is ASCII of one line, as most cells of a table are. */
  private static boolean plain(String text) {
    char before = ' ';
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next < ' ' || next > '~' || (next == ' ' && before == ' ')) {
        return false;
      }
      before = next;
    }
    return text.isEmpty() || before != ' ';
  }

  /** Returns {@code text}, perhaps of several lines, with U+FFFD for each unprintable character. */
  public static String printable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (!Printable.is(next)) { // perhaps half of a character
        return text.codePoints()
            .map(point -> Printable.is(point) ? point : 0xFFFD)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
      }
    }
    return text;
  }
}
