package kvrank.cli;

/** Exit statuses of the commands; {@code docs/reference/command-line.md} has them all. */
final class ExitStatus {

  /** Everything that was planned and is available here was done. */
  static final int COMPLETED = 0;

  /** A run or an expectation failed, or a comparison found something worse. */
  static final int RUN_FAILED = 1;

  /** The input is invalid; nothing was started. */
  static final int INVALID_INPUT = 2;

  /** Nothing could run. */
  static final int NOTHING_RAN = 3;

  /** What a shell sees of a program that SIGTERM ended. */
  static final int TERMINATED = 128 + 15;

  private ExitStatus() {}
}
