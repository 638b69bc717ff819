package kvrank.workload.trace;

import java.io.IOException;

/** A file that is no trace, or a damaged one; the message names the file, the place and why. */
public final class TraceException extends IOException {

  private static final long serialVersionUID = 1L;

  public TraceException(String message) {
    super(message);
  }
}
