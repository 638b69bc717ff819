package kvrank.provision.server;

import kvrank.provision.host.ProvisionException;

/** Starts servers by one {@link kvrank.engine.ProvisionMethod}. */
public interface ServerStarter {

  /**
   * Starts a server and waits until it is ready.
   *
   * @param resources holds the data folder and the process as soon as they exist; closing it at any
   *     moment ends the start
   * @throws ProvisionException if the server does not become ready; what exists by then stays in
   *     {@code resources}
   */
  ReadyServer start(ServerSpec spec, ServerResources resources)
      throws ProvisionException, InterruptedException;
}
