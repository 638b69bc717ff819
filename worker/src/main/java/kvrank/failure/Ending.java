package kvrank.failure;

import java.util.Set;

/**
 * How a process ended that kvrank did not stop.
 *
 * @param status the exit status in a shell, 128 plus the number of a signal; negative if unknown
 * @param text for a message, as {@code exited with status 1}
 */
public record Ending(int status, Cause cause, String text) {

  private static final int KILLED = 128 + 9;

  /** SIGHUP, SIGINT, SIGKILL, SIGTERM, which others send, and 0, as servers end only if stopped. */
  private static final Set<Integer> BY_OUTSIDER = Set.of(0, 128 + 1, 128 + 2, KILLED, 128 + 15);

  /**
   * Returns the ending of a running process.
   *
   * @param own who is to blame if it ended by itself
   */
  public static Ending of(int status, Cause own, String text) {
    return new Ending(status, BY_OUTSIDER.contains(status) ? Cause.OUTSIDER : own, text);
  }

  /** Returns the ending of a starting engine, which may exit with 0 by itself. */
  public Ending whileStarting() {
    return status == 0 ? new Ending(status, Cause.ENGINE, text) : this;
  }

  /** Returns whether SIGKILL ended it, which the kernel sends when it lacks memory. */
  public boolean killed() {
    return status == KILLED;
  }
}
