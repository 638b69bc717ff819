package kvrank.input;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * One mistake in an input file.
 *
 * @param file as the user named it
 * @param line from 1, as is the column; both are 0 if the problem has no position
 * @param path the YAML path, for example {@code operations.raed}; may be empty
 * @param message the mistake, with the value in quotes, and the next step
 * @param excerpt the line and a caret under the column; may be empty
 */
public record Problem(
    Path file, int line, int column, String path, String message, String excerpt) {

  private static final Pattern SPACES = Pattern.compile("[\\n\\r\\t]+");

  public Problem {
    path = line(path);
    message = line(message);
    excerpt = printable(excerpt).replace('\r', '\uFFFD');
  }

  /** Returns {@code text}, perhaps of a stranger, in one line: others could look like kvrank's. */
  private static String line(String text) {
    return printable(SPACES.matcher(text).replaceAll(" "));
  }

  /** Returns {@code text} with U+FFFD for each unprintable character but a carriage return. */
  static String printable(String text) {
    return text.codePoints()
        .map(point -> Printable.is(point) || point == '\r' ? point : 0xFFFD)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Returns one line: {@code file:line:column: path: message}. */
  public String oneLine() {
    String place = line > 0 ? file + ":" + line + ":" + column : file.toString();
    return line(place) + (path.isEmpty() ? ": " : ": " + path + ": ") + message;
  }
}
