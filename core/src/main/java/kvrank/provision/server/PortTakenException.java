package kvrank.provision.server;

import kvrank.failure.Cause;
import kvrank.provision.host.ProvisionException;

/** Another program has the port that kvrank chose for a server, by chance or to disturb it. */
public final class PortTakenException extends ProvisionException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one; {@code program} is for a reader, such as {@code a program of user 1001 (pid 7)}.
   */
  public PortTakenException(ServerAddress place, String program) {
    super(Cause.OUTSIDER, "%s listens at %s instead; stop that program".formatted(program, place));
  }
}
