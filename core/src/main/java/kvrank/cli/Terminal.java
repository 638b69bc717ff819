package kvrank.cli;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;

/**
 * Where a command's words go.
 *
 * @param out results
 * @param err errors, warnings and progress
 * @param interactive whether a person watches, on a terminal that can redraw a line
 * @param colours whether a person's terminal may be given colours
 */
record Terminal(PrintStream out, PrintStream err, boolean interactive, boolean colours) {

  Terminal {
    requireNonNull(out, "out is null");
    requireNonNull(err, "err is null");
  }

  /** Whether to emphasise by escape sequences. */
  boolean ansi() {
    return interactive && colours;
  }

  void error(String message) {
    err.println("kvrank: " + message);
  }
}
