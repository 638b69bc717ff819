package kvrank.provision.server;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.provision.host.ProvisionException;

/** A process that was started, ready or not; by default, one that somebody else runs. */
public interface StartedServer {

  /** Returns where clients may reach it, the best first. */
  List<ServerAddress> endpoints();

  /** Returns whether what answers at {@code endpoint} is this process and no other. */
  default boolean answersAt(ServerAddress endpoint) {
    return true;
  }

  /** Returns the process to sample, as this host numbers it, if it can be seen from here. */
  default OptionalLong pid() {
    return OptionalLong.empty();
  }

  /** Returns how it ended; empty while it runs. Cheap. */
  default Optional<Ending> ending() {
    return Optional.empty();
  }

  /** Image, executable and the like. */
  default Facts facts() {
    return new Facts();
  }

  /** Waits a moment until all that an ended process wrote is in its log. */
  default void settleLog() {}

  /**
   * Ends it and what it started by SIGKILL, and returns when it has ended, or throws what "it" did.
   * What it has on disk stays.
   */
  default void kill() throws ProvisionException, InterruptedException {
    throw new ProvisionException(Cause.INPUT, "it runs already and is not kvrank's to kill");
  }

  /** Ends it, by force if need be. Idempotent. */
  default void stop() {}

  /**
   * Returns the ending with the exit status {@code status}, as shells number it: "exited with
   * status 1" or "was killed by SIGKILL …".
   */
  static Ending ending(int status) {
    // Numbers that are the same on Linux and macOS.
    String signal =
        switch (status - 128) {
          case 1 -> "HUP";
          case 2 -> "INT";
          case 3 -> "QUIT";
          case 4 -> "ILL";
          case 6 -> "ABRT";
          case 8 -> "FPE";
          case 9 -> "KILL";
          case 11 -> "SEGV";
          case 13 -> "PIPE";
          case 15 -> "TERM";
          default -> "";
        };
    return Ending.of(
        status,
        Cause.ENGINE,
        signal.isEmpty()
            ? "exited with status " + status
            : "was killed by SIG%s (exit status %d)".formatted(signal, status));
  }
}
