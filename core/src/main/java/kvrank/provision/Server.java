package kvrank.provision;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** One started instance of an engine, ready for clients; for an embedded engine, its folder. */
public interface Server extends AutoCloseable {

  /**
   * Returns the placeholders of the binding's properties: {@code host}, {@code port}, {@code data}.
   */
  SortedMap<String, String> connection();

  /**
   * Way, version, image digest, pid, address, resolved settings, what the server says of itself.
   */
  SortedMap<String, String> facts();

  /**
   * Returns the process to watch and to sample, as this host numbers it, if there is one of ours.
   */
  OptionalLong pid();

  /** Returns the folder on this host that holds the engine's files, if it is ours to see. */
  Optional<Path> data();

  /**
   * Returns what the server says of itself now: its answers to the {@code reports} of its
   * engine.yaml. What it does not say is left out.
   */
  SortedMap<String, String> reports();

  /** Ends the server as its owner would, and leaves its data where it is. Idempotent. */
  void stop();

  /** If the server has ended: how, with the tail of its log. Empty while it runs. */
  Optional<String> death();

  /**
   * Ends the server's process and those that it started by SIGKILL, as a crash does, and returns
   * when it has ended. Its data stays, for {@link #restart}.
   *
   * @return how it ended, for example {@code was killed by SIGKILL (exit status 137)}
   * @throws ProvisionException if there is no process of ours, as of an embedded engine, whose
   *     process is the client's own, or if it does not end
   */
  String kill() throws ProvisionException, InterruptedException;

  /**
   * Starts the server again on the data that {@link #kill} left and waits until it answers its own
   * ping; {@link #connection}, {@link #facts} and {@link #pid} are then those of the new process.
   * There is nothing to do for an embedded engine.
   *
   * @throws ProvisionException if it does not answer; its process is ended then, its data stays
   */
  void restart() throws ProvisionException, InterruptedException;

  /**
   * Stops the server and removes its process, container and data. Its log stays. Idempotent.
   *
   * @throws java.io.UncheckedIOException if some of its data could not be removed
   */
  @Override
  void close();
}
