package kvrank.provision;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A server that somebody else runs: it is used, and left as it is. */
final class ExternalServer implements StartedServer {

  private final ServerAddress endpoint;

  ExternalServer(String host, int port) {
    this.endpoint = new ServerAddress(host, port, ServerAddress.Kind.EXTERNAL);
  }

  @Override
  public List<ServerAddress> endpoints() {
    return List.of(endpoint);
  }

  @Override
  public boolean answersAt(ServerAddress place) {
    return true;
  }

  @Override
  public OptionalLong pid() {
    return OptionalLong.empty();
  }

  @Override
  public Optional<String> ending() {
    return Optional.empty();
  }

  @Override
  public SortedMap<String, String> facts() {
    return new TreeMap<>();
  }

  @Override
  public void settleLog() {
    // Its log is not ours.
  }

  @Override
  public void kill() throws ProvisionException {
    throw new ProvisionException("it runs already and is not kvrank's to kill");
  }

  @Override
  public void stop() {
    // It is left running.
  }
}
