package kvrank.provision.host;

import java.io.IOException;
import kvrank.failure.Cause;
import kvrank.failure.Failure;

/** A server did not become ready; the message has the reason and the tail of its log. */
public class ProvisionException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Cause cause;

  public ProvisionException(Cause cause, String message) {
    super(message);
    this.cause = cause;
  }

  /** Blames the cause that {@code thrown} implies. */
  public ProvisionException(String message, IOException thrown) {
    this(new Failure(Cause.of(thrown), message), thrown);
  }

  public ProvisionException(Failure failure, Throwable thrown) {
    super(failure.message(), thrown);
    this.cause = failure.cause();
  }

  public Failure failure() {
    return new Failure(cause, getMessage());
  }
}
