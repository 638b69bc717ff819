package kvrank.provision;

import java.util.Map;

/** What the exit status of a Unix process means, in words. */
final class ProcessExit {

  private static final int SIGNALLED = 128;

  // Numbers that are the same on Linux and macOS.
  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP",
          2, "SIGINT",
          3, "SIGQUIT",
          4, "SIGILL",
          6, "SIGABRT",
          8, "SIGFPE",
          9, "SIGKILL",
          11, "SIGSEGV",
          13, "SIGPIPE",
          15, "SIGTERM");

  private ProcessExit() {}

  /** For example "exited with status 1" or "was killed by SIGKILL (exit status 137)". */
  static String describe(int status) {
    String signal = SIGNALS.get(status - SIGNALLED);
    if (signal == null) {
      return "exited with status " + status;
    }
    return "was killed by " + signal + " (exit status " + status + ")";
  }
}
