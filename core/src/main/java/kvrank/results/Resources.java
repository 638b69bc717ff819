package kvrank.results;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a phase used.
 *
 * @param server the server's process; empty for an embedded engine or where it cannot be seen
 * @param client the worker's process, which holds the engine too if that is embedded
 * @param footprintBytes allocated blocks of the data directory at the end of the phase
 */
public record Resources(
    Optional<Usage> server, Optional<Usage> client, OptionalLong footprintBytes) {

  public Resources {
    requireNonNull(server, "server is null");
    requireNonNull(client, "client is null");
    requireNonNull(footprintBytes, "footprintBytes is null");
  }
}
