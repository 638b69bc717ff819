package kvrank.scenario;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;

/**
 * Where something stands in the user's input, and so where a problem with it is shown.
 *
 * @param reading where problems go
 * @param file the file, as the user named it, or the command line's option
 * @param lines the lines of the file; empty for an option, or a file that cannot be read
 * @param line the line, from 1; 0 if there is none
 * @param column the column, from 1; 0 if there is none
 * @param path the YAML path, for example {@code phases[1].workload}
 */
record SourceLocation(
    Diagnostics reading, Path file, List<String> lines, int line, int column, String path) {

  /** The longest message. */
  private static final int LONGEST = 1_000;

  /** How much of a line is shown before the caret, and after it. */
  private static final int WIDEST = 200;

  /** What stands before the @ of an address, and after the key {@code password} where it should. */
  private static final Pattern PASSWORD =
      Pattern.compile(
          "(?<=://)[^\\s\"']+(?=@)"
              + "|(?<=^|[\\s\"'{])[^\\s\"'/{]*:[^\\s\"'/][^\\s\"']*(?=@)"
              + "|(?<=\\bpassword: {0,9})(\"[^\"]*\"?|'[^']*'?|[^\\s{\"'][^,}]*)"
              + "|(?<=\\bpassword: {0,9}\\{ {0,9})(?!\\s|env:|file:)[^}]+");

  /** Returns a file or an option as a whole. */
  static SourceLocation of(Diagnostics reading, Path file, List<String> lines) {
    return new SourceLocation(reading, file, lines, 0, 0, "");
  }

  /**
   * Returns the value under {@code key} of the map that is here. {@code mark} is null for an
   * option.
   */
  SourceLocation key(String key, Mark mark) {
    return at(mark, path.isEmpty() ? key : path + "." + key);
  }

  /** {@code mark}, or this place if that is null, with another path. */
  SourceLocation at(Mark mark, String newPath) {
    return mark == null
        ? new SourceLocation(reading, file, lines, line, column, newPath)
        : new SourceLocation(
            reading, file, lines, mark.getLine() + 1, mark.getColumn() + 1, newPath);
  }

  /** Reports a problem here; {@code message} is a format where there are arguments. */
  @SuppressWarnings("AnnotateFormatMethod")
  void report(String message, Object... arguments) {
    reading.report(() -> problem(arguments.length == 0 ? message : message.formatted(arguments)));
  }

  /** Returns whether {@code name} is one of {@code valid}; a problem here if not. */
  boolean known(String noun, String name, Collection<String> valid) {
    return has("unknown " + noun, name, valid);
  }

  /** As {@link #known}; {@code complaint} stands before the name. */
  boolean has(String complaint, String name, Collection<String> valid) {
    boolean has = valid.contains(name);
    if (!has) {
      String given = shortened(name);
      reading.report(
          () -> problem("%s '%s'%s".formatted(complaint, given, Suggestion.of(given, valid))));
    }
    return has;
  }

  /** Returns whether {@code name} can be part of a file's name; a problem here if not. */
  boolean isName(String name) {
    boolean good = name.matches("[A-Za-z0-9][A-Za-z0-9._-]*");
    if (!good) {
      report("'" + name + "' is not a name; use letters, digits, '.', '-' and '_'");
    }
    return good;
  }

  /** Notes that {@code former}, which is here, is called {@code now}. */
  void noteRenamed(String former, String now) {
    reading.note(problem("'%s' is called '%s' now".formatted(former, now)));
  }

  private Problem problem(String message) {
    return new Problem(file, line, column, shortened(path), shortened(message), excerpt());
  }

  /** Returns {@code text} without passwords, and without the end of one that nobody would read. */
  private static String shortened(String text) {
    String masked = masked(text.length() > 2 * LONGEST ? text.substring(0, 2 * LONGEST) : text);
    return masked.length() > LONGEST ? masked.substring(0, LONGEST) + "…" : masked;
  }

  /** Returns {@code text} with every password in it as asterisks, so that carets stay in place. */
  static String masked(String text) {
    return PASSWORD.matcher(text).replaceAll(found -> "*".repeat(found.group().length()));
  }

  /** Returns the line and a caret under the column; empty if there is no such line. */
  private String excerpt() {
    if (line < 1 || line > lines.size()) {
      return "";
    }
    String text = lines.get(line - 1);
    int caret = column - 1;
    // Of a long line what is around the caret; a password may begin before that.
    int from = Math.max(0, caret - LONGEST);
    text =
        masked(
            text.substring(
                Math.min(from, text.length()), Math.min(text.length(), caret + LONGEST)));
    caret -= from;
    if (caret > WIDEST) {
      text = "…" + text.substring(Math.min(text.length(), caret - WIDEST / 2));
      caret = WIDEST / 2 + 1;
    }
    if (text.length() > caret + WIDEST) {
      text = text.substring(0, caret + WIDEST) + "…";
    }
    // A tab stays a tab, so that the caret stands under its character whatever a tab's width is.
    String before = text.substring(0, Math.min(caret, text.length())).replaceAll("[^\t]", " ");
    return text + "\n" + before + " ".repeat(caret - before.length()) + "^";
  }

  /** Returns how a problem elsewhere refers to this place, for example {@code line 3}. */
  String reference() {
    return line > 0 ? "line " + line : file.toString();
  }
}
