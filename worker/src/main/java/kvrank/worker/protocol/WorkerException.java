package kvrank.worker.protocol;

import java.io.UncheckedIOException;
import kvrank.binding.ErrorLog;
import kvrank.workload.trace.TraceException;

/** A phase, or the whole work if {@link #phase} is empty, cannot go on. */
public final class WorkerException extends Exception {

  private final String phase;

  public WorkerException(String phase, String message) {
    this(phase, message, null);
  }

  public WorkerException(String phase, String message, Throwable cause) {
    super(message, cause);
    this.phase = phase;
  }

  public String phase() {
    return phase;
  }

  /** Returns what the binding said of its errors in this phase, after a colon; empty if nothing. */
  public static String said() {
    String said = ErrorLog.standard().said();
    return said.isEmpty() ? "" : ": " + said;
  }

  /** What went wrong, in one line. */
  public static String summary(Throwable any) {
    Throwable thrown = any instanceof UncheckedIOException ? any.getCause() : any;
    String message = thrown.getMessage();
    String firstLine = message == null ? "" : message.strip().lines().findFirst().orElse("");
    boolean speaksForItself = thrown instanceof WorkerException || thrown instanceof TraceException;
    String name = thrown.getClass().getSimpleName();
    return speaksForItself ? firstLine : firstLine.isEmpty() ? name : name + ": " + firstLine;
  }
}
