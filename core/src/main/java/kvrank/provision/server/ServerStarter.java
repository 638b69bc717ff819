package kvrank.provision.server;

import kvrank.provision.host.ProvisionException;

/** Starts servers by one {@link kvrank.engine.ProvisionMethod}. */
public interface ServerStarter {

  /** Starts a server and waits until it is ready; closing {@code resources} aborts this. */
  ReadyServer start(ServerSpec spec, ServerResources resources)
      throws ProvisionException, InterruptedException;
}
