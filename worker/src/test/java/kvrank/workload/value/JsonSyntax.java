package kvrank.workload.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a text is a JSON document (RFC 8259). */
final class JsonSyntax {

  private static final Pattern STRING = Pattern.compile("\"([^\"\\\\\\x00-\\x1f]|\\\\.)*\"");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final Pattern LITERAL = Pattern.compile("true|false|null");

  private final String text;
  private int position;

  JsonSyntax(String text) {
    this.text = text;
  }

  boolean isDocument() {
    return value() && position == text.length();
  }

  private boolean value() {
    if (take('{')) {
      return take('}') || (member() && rest('}'));
    }
    if (take('[')) {
      return take(']') || (value() && restOfArray());
    }
    return match(STRING) || match(NUMBER) || match(LITERAL);
  }

  private boolean member() {
    return match(STRING) && take(':') && value();
  }

  private boolean rest(char end) {
    while (take(',')) {
      if (!member()) {
        return false;
      }
    }
    return take(end);
  }

  private boolean restOfArray() {
    while (take(',')) {
      if (!value()) {
        return false;
      }
    }
    return take(']');
  }

  private boolean take(char expected) {
    boolean there = position < text.length() && text.charAt(position) == expected;
    position += there ? 1 : 0;
    return there;
  }

  private boolean match(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(position, text.length());
    boolean there = matcher.lookingAt();
    position = there ? matcher.end() : position;
    return there;
  }
}
