package kvrank.provision;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** One started instance of an engine, ready for clients; for an embedded engine, its folder. */
public interface Server extends AutoCloseable {

  /** The placeholders of the binding's properties: {@code host}, {@code port}, {@code data}. */
  SortedMap<String, String> connection();

  /**
   * Way, version, image digest, pid, address, resolved settings, what the server says of itself.
   */
  SortedMap<String, String> facts();

  /** The process to watch and to sample, as this host numbers it, if there is one of ours. */
  OptionalLong pid();

  /** The folder on this host that holds the engine's files, if it is ours to see. */
  Optional<Path> data();

  /**
   * What the server says of itself now: its answers to the {@code reports} of its engine.yaml. What
   * it does not say is left out.
   */
  SortedMap<String, String> reports();

  /** Ends the server as its owner would, and leaves its data where it is. Idempotent. */
  void stop();

  /** If the server has ended: how, with the tail of its log. Empty while it runs. */
  Optional<String> death();

  /**
   * Stops the server and removes its process, container and data. Its log stays. Idempotent.
   *
   * @throws java.io.UncheckedIOException if some of its data could not be removed
   */
  @Override
  void close();
}
