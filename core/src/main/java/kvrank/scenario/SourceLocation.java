package kvrank.scenario;

import org.yaml.snakeyaml.error.Mark;

/**
 * Where something stands in the user's input, and so where a problem with it is shown.
 *
 * @param reading where problems go
 * @param source what the user wrote
 * @param line the line, from 1; 0 if there is none
 * @param column the column, from 1; 0 if there is none
 * @param path the YAML path, for example {@code phases[1].workload}
 */
record SourceLocation(Diagnostics reading, Source source, int line, int column, String path) {

  /** Returns a source as a whole. */
  static SourceLocation of(Diagnostics reading, Source source) {
    return new SourceLocation(reading, source, 0, 0, "");
  }

  /**
   * Returns the value under {@code key} of the map that is here. {@code mark} is null for an
   * option.
   */
  SourceLocation key(String key, Mark mark) {
    return at(mark, path.isEmpty() ? key : path + "." + key);
  }

  /** Returns the item of the list that is here. {@code mark} is null for an option. */
  SourceLocation item(int index, Mark mark) {
    return at(mark, path + "[" + index + "]");
  }

  /** {@code mark} in the same source. */
  SourceLocation at(Mark mark, String newPath) {
    return mark == null
        ? new SourceLocation(reading, source, line, column, newPath)
        : new SourceLocation(reading, source, mark.getLine() + 1, mark.getColumn() + 1, newPath);
  }

  /** Reports a problem here. */
  void report(String message) {
    reading.report(problem(message));
  }

  /** Notes that {@code former}, which is here, is called {@code now}. */
  void noteRenamed(String former, String now) {
    reading.note(problem("'%s' is called '%s' now".formatted(former, now)));
  }

  private Problem problem(String message) {
    return new Problem(source.name(), line, column, path, message, source.excerpt(line, column));
  }

  /** Returns how a problem elsewhere refers to this place, for example {@code line 3}. */
  String reference() {
    return line > 0 ? "line " + line : source.name().toString();
  }
}
