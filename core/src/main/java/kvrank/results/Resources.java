package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.metric.Usage;

/**
 * What a phase used.
 *
 * @param server the server's process; empty for an embedded engine or where it cannot be seen
 * @param client the worker's process, which holds the engine too if that is embedded
 * @param footprintBytes allocated blocks of the data directory at the end of the phase
 * @param device what went to and from the block device of the data directory meanwhile, for
 *     whomever; empty where there is none
 */
public record Resources(
    Optional<Usage> server,
    Optional<Usage> client,
    OptionalLong footprintBytes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Traffic> device) {

  /** Bytes read from and written to a block device. */
  public record Traffic(long readBytes, long writtenBytes) {}

  /** These, with the footprint that was found after them. */
  public Resources withFootprint(OptionalLong bytes) {
    return new Resources(server, client, bytes, device);
  }
}
