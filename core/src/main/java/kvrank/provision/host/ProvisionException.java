package kvrank.provision.host;

/** A server did not become ready; the message says why, with the tail of its log. */
public final class ProvisionException extends Exception {

  private static final long serialVersionUID = 1L;

  public ProvisionException(String message) {
    super(message);
  }

  public ProvisionException(String message, Throwable cause) {
    super(message, cause);
  }
}
