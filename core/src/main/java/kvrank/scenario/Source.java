package kvrank.scenario;

import java.nio.file.Path;
import java.util.List;

/**
 * A text that the user wrote.
 *
 * @param name the file, as the user named it, or the command line's option
 * @param lines the lines of the file; empty for an option
 */
record Source(Path name, List<String> lines) {

  Source {
    lines = List.copyOf(lines);
  }

  /** Returns a source without lines to show: an option, or a file that cannot be read. */
  static Source of(Path name) {
    return new Source(name, List.of());
  }

  /**
   * Returns the line and a caret under the column, both counted from 1; empty if there is no such
   * line.
   */
  String excerpt(int line, int column) {
    if (line < 1 || line > lines.size()) {
      return "";
    }
    String text = lines.get(line - 1);
    StringBuilder caret = new StringBuilder(text).append('\n');
    for (int i = 0; i < column - 1; i++) {
      // A tab stays a tab, so that the caret stands under its character whatever a tab's width is.
      caret.append(i < text.length() && text.charAt(i) == '\t' ? '\t' : ' ');
    }
    return caret.append('^').toString();
  }
}
