package kvrank.provision.server;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import kvrank.fact.Facts;
import kvrank.provision.host.ProvisionException;

/** Creates the data folder of an embedded engine, which runs in the worker. */
public record EmbeddedStarter() implements ServerStarter {

  @Override
  public ReadyServer start(ServerSpec spec, ServerResources resources) throws ProvisionException {
    resources.folder(new TreeMap<>());
    SortedMap<String, String> connection = new TreeMap<>();
    if (!spec.subject().isEmpty()) {
      connection.put("library", spec.subject());
    }
    return ReadyServer.of(spec, resources, connection, new Facts(), List.of());
  }
}
