package kvrank.failure;

import java.util.Set;

/**
 * How a process ended without being stopped by kvrank.
 *
 * @param status its exit status as a shell reports it: 128 plus the number of a signal; negative if
 *     unknown
 * @param cause who is to blame, judged by the status
 * @param text for a message, as {@code exited with status 1}
 */
public record Ending(int status, Cause cause, String text) {

  private static final int KILLED = 128 + 9;

  /**
   * SIGHUP, SIGINT, SIGKILL and SIGTERM, which no process sends to itself, and status 0, with which
   * no server ends unless it is stopped.
   */
  private static final Set<Integer> BY_OUTSIDER = Set.of(0, 128 + 1, 128 + 2, KILLED, 128 + 15);

  /**
   * Returns the ending of a process that ran well before.
   *
   * @param own who is to blame if it ended by itself
   */
  public static Ending of(int status, Cause own, String text) {
    return new Ending(status, BY_OUTSIDER.contains(status) ? Cause.OUTSIDER : own, text);
  }

  /** Returns this as the ending of an engine that was still starting, when 0 is its own status. */
  public Ending whileStarting() {
    return status == 0 ? new Ending(status, Cause.ENGINE, text) : this;
  }

  /** Returns whether SIGKILL ended it, which the kernel sends when it lacks memory. */
  public boolean killed() {
    return status == KILLED;
  }
}
