package kvrank.input;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.yaml.snakeyaml.error.Mark;

/**
 * Where something stands in the user's input, and so where a problem with it is shown.
 *
 * @param reading where problems go
 * @param file the file, as the user named it, or the command line's option
 * @param lines the lines of the file; empty for an option, or a file that cannot be read
 * @param line the line, from 1, as is the column; both are 0 if there is none
 * @param path the YAML path, for example {@code phases[1].workload}
 */
public record SourceLocation(
    Diagnostics reading, Path file, List<String> lines, int line, int column, String path) {

  /** The longest message. */
  private static final int LONGEST = 1_000;

  /** Returns a file or an option as a whole. */
  public static SourceLocation of(Diagnostics reading, Path file, List<String> lines) {
    return new SourceLocation(reading, file, lines, 0, 0, "");
  }

  /** Returns the value under {@code key} of the map here; {@code mark} is null for an option. */
  public SourceLocation key(String key, Mark mark) {
    return at(mark, path.isEmpty() ? key : path + "." + key);
  }

  /** {@code mark}, or this place if that is null, with another path. */
  SourceLocation at(Mark mark, String newPath) {
    return mark == null
        ? new SourceLocation(reading, file, lines, line, column, newPath)
        : new SourceLocation(
            reading, file, lines, mark.getLine() + 1, mark.getColumn() + 1, newPath);
  }

  /** Returns this place in a file whose text is not shown. */
  SourceLocation withoutLine() {
    return new SourceLocation(reading, file, List.of(), line, column, path);
  }

  /** Returns the place that {@code before} stands before. */
  SourceLocation after(String before) {
    String begun = before.substring(before.lastIndexOf('\n') + 1);
    int number = (int) before.chars().filter(each -> each == '\n').count() + 1;
    return new SourceLocation(reading, file, lines, number, begun.length() + 1, path);
  }

  /** Reports a problem here; {@code message} is a format where there are arguments. */
  @SuppressWarnings("AnnotateFormatMethod")
  public void report(String message, Object... arguments) {
    reading.report(() -> problem(arguments.length == 0 ? message : message.formatted(arguments)));
  }

  /** Returns whether {@code name} is one of {@code valid}; a problem here if not. */
  public boolean known(String noun, String name, Collection<String> valid) {
    return has("unknown " + noun, name, valid);
  }

  /** As {@link #known}; {@code complaint} stands before the name. */
  public boolean has(String complaint, String name, Collection<String> valid) {
    boolean has = valid.contains(name);
    if (!has) {
      String given = shortened(name);
      reading.report(
          () -> problem("%s '%s'%s".formatted(complaint, given, Suggestion.of(given, valid))));
    }
    return has;
  }

  /** Returns whether {@code name} can be part of a file's name; a problem here if not. */
  public boolean isName(String name) {
    boolean good = name.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    if (!good) {
      report("'" + name + "' is not a name; use letters, digits, '.', '-' and '_'");
    }
    return good;
  }

  private Problem problem(String message) {
    Excerpt excerpt = new Excerpt(lines, line, column);
    return new Problem(
        file,
        line,
        column,
        shortened(excerpt.message(path)),
        shortened(excerpt.message(message)),
        excerpt.toString());
  }

  /** Returns {@code text} without the end of one that nobody would read. */
  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  /** Returns how a problem elsewhere refers to this place, for example {@code line 3}. */
  public String reference() {
    return line > 0 ? "line " + line : file.toString();
  }
}
