package kvrank.provision;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** A process that was started, ready or not. */
interface StartedServer {

  /** Returns where clients may reach it, the best first. */
  List<ServerAddress> endpoints();

  /** Returns whether what answers at {@code endpoint} is this process and no other. */
  boolean answersAt(ServerAddress endpoint);

  /** Returns the process to sample, as this host numbers it, if it can be seen from here. */
  OptionalLong pid();

  /** Returns how it ended, as "exited with status 1"; empty while it runs. Cheap. */
  Optional<String> ending();

  /** Image, executable and the like. */
  SortedMap<String, String> facts();

  /** Waits a moment until all that an ended process wrote is in its log. */
  void settleLog();

  /**
   * Ends it and what it started by SIGKILL, and returns when it has ended. What it has on disk
   * stays.
   *
   * @throws ProvisionException if it cannot be killed or does not end; the message begins with what
   *     "it" did
   */
  void kill() throws ProvisionException, InterruptedException;

  /** Ends it, by force if need be. Idempotent. */
  void stop();
}
