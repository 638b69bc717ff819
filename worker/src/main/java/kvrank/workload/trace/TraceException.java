package kvrank.workload.trace;

import java.io.IOException;

/** A file that is damaged or not a trace; the message names the file, the place and the reason. */
public final class TraceException extends IOException {

  private static final long serialVersionUID = 1L;

  public TraceException(String message) {
    super(message);
  }
}
