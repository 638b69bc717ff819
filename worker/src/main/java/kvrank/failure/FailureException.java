package kvrank.failure;

import java.io.IOException;

/** A failure whose cause the throwing code determines. */
public final class FailureException extends IOException {

  private static final long serialVersionUID = 1L;

  private final Cause cause;

  public FailureException(Cause cause, String message) {
    this(cause, message, null);
  }

  public FailureException(Cause cause, String message, Throwable thrown) {
    super(message, thrown);
    this.cause = cause;
  }

  public Cause failureCause() {
    return cause;
  }
}
