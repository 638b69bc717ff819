package kvrank.cli;

import java.io.PrintStream;
import org.apache.commons.text.WordUtils;

/**
 * Where a command's words go.
 *
 * @param out results
 * @param err errors, warnings and progress
 * @param interactive whether a person watches errors and progress, on a terminal that can redraw a
 *     line
 * @param colours whether results may have colours
 * @param width how many characters a line should have at most; 0 if that is not known
 */
record Terminal(PrintStream out, PrintStream err, boolean interactive, boolean colours, int width) {

  /** The width of a file, and of a terminal that does not say how wide it is. */
  private static final int DEFAULT_WIDTH = 100;

  private static final int LEAST_WIDTH = 40;

  Terminal {
    width = width == 0 ? DEFAULT_WIDTH : Math.max(LEAST_WIDTH, width);
  }

  void error(String message) {
    err.println("kvrank: " + message);
  }

  /** Returns {@code text} after {@code heading}, in lines that stand under each other. */
  String wrapped(String heading, String text) {
    int room = Math.max(LEAST_WIDTH / 2, width - heading.length());
    return text.length() <= room
        ? heading + text
        : heading + WordUtils.wrap(text, room, "\n" + " ".repeat(heading.length()), false);
  }

  /** Returns {@code line}, cut with an ellipsis where it is longer than a person's terminal. */
  String cut(String line) {
    return interactive && line.length() > width ? line.substring(0, width - 1) + "…" : line;
  }
}
