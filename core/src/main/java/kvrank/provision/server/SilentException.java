package kvrank.provision.server;

import kvrank.failure.Failure;
import kvrank.provision.host.ProvisionException;

/** A server runs, but did not answer within the time that it has for its start. */
public final class SilentException extends ProvisionException {

  private static final long serialVersionUID = 1L;

  SilentException(Failure failure) {
    super(failure, null);
  }
}
