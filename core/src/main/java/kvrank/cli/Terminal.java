package kvrank.cli;

import java.io.PrintStream;
import kvrank.report.block.Width;
import org.apache.commons.text.WordUtils;

/**
 * Where a command prints.
 *
 * @param out results
 * @param err errors, warnings and progress
 * @param interactive whether {@code err} is a terminal that a person watches
 * @param colours whether results may have colours
 * @param width of a line in characters; 0 if unknown
 */
record Terminal(PrintStream out, PrintStream err, boolean interactive, boolean colours, int width) {

  /** The width of a file, and of a terminal of unknown width. */
  private static final int DEFAULT_WIDTH = 100;

  private static final int LEAST_WIDTH = 40;

  Terminal {
    width = width == 0 ? DEFAULT_WIDTH : Math.max(LEAST_WIDTH, width);
  }

  void error(String message) {
    err.println("kvrank: " + Width.printable(message));
  }

  /** Returns {@code given} after {@code heading}, wrapped with a hanging indent. */
  String wrapped(String heading, String given) {
    String text = Width.printable(given);
    int room = Math.max(LEAST_WIDTH / 2, width - heading.length());
    return text.length() <= room
        ? heading + text
        : heading + WordUtils.wrap(text, room, "\n" + " ".repeat(heading.length()), false);
  }

  /** Returns {@code line}, cut with an ellipsis if it would fill the terminal's width. */
  String cut(String line) {
    return line.length() < width ? line : line.substring(0, width - 2) + "…";
  }

  /** As {@link #wrapped} on an interactive terminal; otherwise one line, for other programs. */
  String fitted(String heading, String text) {
    return interactive ? wrapped(heading, text) : heading + Width.oneLine(text);
  }
}
