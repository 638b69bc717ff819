package kvrank.cli;

/** Exit statuses of the commands, which {@code docs/reference/command-line.md} documents. */
final class ExitStatus {

  static final int COMPLETED = 0;

  /** A run or an expectation failed, or a comparison found something worse. */
  static final int RUN_FAILED = 1;

  static final int INVALID_INPUT = 2;

  static final int NOTHING_RAN = 3;

  /** The status that a shell reports after SIGTERM. */
  static final int TERMINATED = 128 + 15;

  private ExitStatus() {}
}
