package kvrank.results;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Optional;
import java.util.OptionalLong;
import kvrank.metric.Usage;

/**
 * The resources that a phase used.
 *
 * @param server the server's process; empty for an embedded engine or if it is not visible
 * @param client the worker's process, with the engine if that is embedded
 * @param footprintBytes allocated blocks of the data directory after the phase
 * @param device the traffic of the data directory's block device, by any process
 */
public record Resources(
    Optional<Usage> server,
    Optional<Usage> client,
    OptionalLong footprintBytes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Optional<Traffic> device) {

  public record Traffic(long readBytes, long writtenBytes) {}

  public Resources withFootprint(OptionalLong bytes) {
    return new Resources(server, client, bytes, device);
  }
}
