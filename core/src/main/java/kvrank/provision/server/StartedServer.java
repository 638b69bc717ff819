package kvrank.provision.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.fact.Facts;
import kvrank.failure.Cause;
import kvrank.failure.Ending;
import kvrank.provision.host.ProvisionException;

/** A started process, ready or not; by default, one that kvrank did not start. */
public interface StartedServer {

  /** The signals with the same numbers on Linux and macOS. */
  Map<Integer, String> SIGNALS =
      Map.of(
          15, "TERM", 13, "PIPE", 11, "SEGV", 9, "KILL", 8, "FPE", 6, "ABRT", 4, "ILL", 3, "QUIT",
          2, "INT", 1, "HUP");

  /** Returns the addresses for clients, the best first. */
  List<ServerAddress> endpoints();

  /**
   * Returns whether this process answers at {@code endpoint}.
   *
   * @throws ProvisionException if another program does
   */
  default boolean answersAt(ServerAddress endpoint) throws ProvisionException {
    return true;
  }

  /** Returns the process on this host to sample, if visible. */
  default OptionalLong pid() {
    return OptionalLong.empty();
  }

  /** Returns its ending; empty while it runs. Cheap. */
  default Optional<Ending> ending() {
    return Optional.empty();
  }

  /** Returns the image, the executable and similar facts. */
  default Facts facts() {
    return new Facts();
  }

  /** Waits briefly until the log has all output of an ended process. */
  default void settleLog() {}

  /**
   * Kills it and its children, keeps the data; the exception's message continues "it".
   *
   * @param sent runs when the signal was sent, before the wait for the end
   */
  default void kill(Runnable sent) throws ProvisionException, InterruptedException {
    throw new ProvisionException(Cause.INPUT, "it runs already and is not kvrank's to kill");
  }

  /** Stops it, by force if necessary. Idempotent. */
  default void stop() {}

  /** Returns the ending of a shell's exit status, such as "was killed by SIGKILL …". */
  static Ending ending(int status) {
    String signal = SIGNALS.get(status - 128);
    return Ending.of(
        status,
        Cause.ENGINE,
        signal == null
            ? "exited with status " + status
            : "was killed by SIG%s (exit status %d)".formatted(signal, status));
  }
}
