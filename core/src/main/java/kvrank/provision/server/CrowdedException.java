package kvrank.provision.server;

import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;

/** A server did not become ready, and programs of others had connections to it. */
final class CrowdedException extends ProvisionException {

  private static final long serialVersionUID = 1L;

  CrowdedException(Failure failure, ProvisionException thrown) {
    super(failure, thrown);
  }
}
