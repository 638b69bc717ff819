package kvrank.input;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;

/**
 * A place in the user's input, at which problems are reported.
 *
 * @param reading receives the problems
 * @param file the file, as the user named it, or an option of the command line
 * @param lines the lines of the file; empty for an option or an unreadable file
 * @param line from 1, as is the column; both are 0 for a file as a whole
 * @param path the YAML path, for example {@code phases[1].workload}
 */
public record SourceLocation(
    Diagnostics reading, Path file, List<String> lines, int line, int column, String path) {

  /** Characters of a message. */
  private static final int MAX_LENGTH = 1_000;

  /** Returns the place of a whole file or option. */
  public static SourceLocation of(Diagnostics reading, Path file, List<String> lines) {
    return new SourceLocation(reading, file, lines, 0, 0, "");
  }

  /** Returns the place of {@code key} in the map here; {@code mark} is null for an option. */
  public SourceLocation key(String key, Mark mark) {
    return at(mark, path.isEmpty() ? key : path + "." + key);
  }

  /** Returns {@code mark}, or this place if that is null, with another path. */
  SourceLocation at(Mark mark, String newPath) {
    return mark == null
        ? new SourceLocation(reading, file, lines, line, column, newPath)
        : new SourceLocation(
            reading, file, lines, mark.getLine() + 1, mark.getColumn() + 1, newPath);
  }

  /** Returns this place without the file's text. */
  SourceLocation withoutLine() {
    return new SourceLocation(reading, file, List.of(), line, column, path);
  }

  /** Returns the place right after {@code before}, which starts with the file. */
  SourceLocation after(String before) {
    int lineStart = before.lastIndexOf('\n') + 1;
    int number = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new SourceLocation(reading, file, lines, number, before.length() - lineStart + 1, path);
  }

  /** Reports a problem here; {@code message} is a format if there are arguments. */
  @SuppressWarnings("AnnotateFormatMethod")
  public void report(String message, Object... arguments) {
    reading.report(() -> problem(arguments.length == 0 ? message : message.formatted(arguments)));
  }

  /** Returns whether {@code name} is one of {@code valid}; reports a problem if not. */
  public boolean known(String noun, String name, Collection<String> valid) {
    return has("unknown " + noun, name, valid);
  }

  /** As {@link #known}, with {@code complaint} before the name. */
  public boolean has(String complaint, String name, Collection<String> valid) {
    boolean has = valid.contains(name);
    if (!has) {
      String given = shortened(name);
      reading.report(
          () -> problem("%s '%s'%s".formatted(complaint, given, Suggestion.of(given, valid))));
    }
    return has;
  }

  /** Returns whether {@code name} can be part of a file name; reports a problem if not. */
  public boolean isName(String name) {
    boolean good = name.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    if (!good) {
      report("'" + name + "' is not a name; use letters, digits, '.', '-' and '_'");
    }
    return good;
  }

  private Problem problem(String message) {
    Optional<String> concealed = reading.concealed(file);
    if (concealed.isPresent()) {
      String text = "not valid; kvrank does not quote it because it is " + concealed.get();
      return new Problem(file, 0, 0, "", text, "");
    }
    Excerpt excerpt = new Excerpt(lines, line, column);
    return new Problem(
        file,
        line,
        column,
        shortened(excerpt.message(path)),
        shortened(excerpt.message(message)),
        excerpt.toString());
  }

  private static String shortened(String text) {
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "…" : text;
  }

  /** Returns this place as text for a message about another one, for example {@code line 3}. */
  public String reference() {
    return line > 0 ? "line " + line : file.toString();
  }
}
