package kvrank.scenario;

import java.nio.file.Path;

/**
 * One thing that is wrong with an input file.
 *
 * @param file the file, as the user named it
 * @param line the line, from 1; 0 if the fault is not at a place
 * @param column the column, from 1; 0 if the fault is not at a place
 * @param path the YAML path of the fault, for example {@code operations.raed}; may be empty
 * @param message what is wrong, with the value quoted, and the next step
 * @param excerpt the line and a caret under the column; may be empty
 */
public record Problem(
    Path file, int line, int column, String path, String message, String excerpt) {

  /** Returns one line: {@code file:line:column: path: message}. */
  public String oneLine() {
    String place = line > 0 ? file + ":" + line + ":" + column : file.toString();
    return path.isEmpty() ? place + ": " + message : place + ": " + path + ": " + message;
  }
}
