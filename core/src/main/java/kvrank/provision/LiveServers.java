package kvrank.provision;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The servers that are starting or running, so that all of them can be stopped at any moment. */
final class LiveServers implements AutoCloseable {

  private final Set<LiveServer> servers = new LinkedHashSet<>();
  private boolean closed;

  /**
   * Takes a server in, before anything of it exists.
   *
   * @throws ProvisionException if no more servers are wanted
   */
  synchronized void add(LiveServer server) throws ProvisionException {
    if (closed) {
      throw new ProvisionException("no server is started any more: kvrank is ending");
    }
    servers.add(server);
  }

  /** Forgets a server that is being closed. */
  synchronized void remove(LiveServer server) {
    servers.remove(server);
  }

  /**
   * Closes every server, one that is being launched as soon as that is done, and takes no more.
   *
   * @throws RuntimeException what the first server that was not all removed says, when all are
   *     closed
   */
  @Override
  public void close() {
    List<LiveServer> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(servers);
    }
    RuntimeException failure = null;
    for (LiveServer server : all) {
      try {
        server.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
