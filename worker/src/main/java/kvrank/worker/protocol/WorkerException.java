package kvrank.worker.protocol;

import java.io.UncheckedIOException;
import java.util.Optional;
import kvrank.binding.ErrorLog;
import kvrank.failure.Cause;
import kvrank.failure.ProcessCheck;
import kvrank.workload.trace.TraceException;

/** The failure of a phase, or of the whole worker if {@link #phase} is empty. */
public final class WorkerException extends Exception {

  private final Cause cause;
  private final String phase;

  public WorkerException(Cause cause, String phase, String message) {
    this(cause, phase, message, null);
  }

  public WorkerException(Cause cause, String phase, String message, Throwable thrown) {
    super(message, thrown);
    this.cause = cause;
    this.phase = phase;
  }

  /** Returns a failure of the engine or its binding, blamed on the machine if that is evident. */
  public static WorkerException ofEngine(String phase, String message, Throwable thrown) {
    return unlessRefused(Cause.ENGINE, phase, message, thrown);
  }

  /**
   * Returns a failure with that cause, or the machine's if the system refuses files, threads or
   * ports now.
   */
  public static WorkerException unlessRefused(
      Cause cause, String phase, String message, Throwable thrown) {
    Optional<String> refusal = refusal();
    return refusal.isPresent()
        ? new WorkerException(Cause.MACHINE, phase, refusal.get() + ": " + message, thrown)
        : new WorkerException(cause, phase, message, thrown);
  }

  /** Returns the failure for {@code any}, which was thrown outside of a call to the engine. */
  public static WorkerException of(String phase, Throwable any) {
    if (any instanceof WorkerException known) {
      return known;
    }
    if (any instanceof Error) {
      // An engine may exhaust heap or stack; kvrank does not.
      Cause cause = any instanceof VirtualMachineError ? Cause.ENGINE : Cause.HARNESS;
      return unlessRefused(cause, phase, summary(any), any);
    }
    Cause cause = any instanceof TraceException ? Cause.INPUT : Cause.of(any);
    return new WorkerException(cause, phase, summary(any), any);
  }

  /** Returns the system's current refusal to this process, for a message. */
  public static Optional<String> refusal() {
    return ProcessCheck.refusal("the worker");
  }

  public Cause failureCause() {
    return cause;
  }

  public String phase() {
    return phase;
  }

  /** Returns the binding's most frequent errors of this phase after a colon, or "". */
  public static String said() {
    String said = ErrorLog.standard().mostFrequent();
    return said.isEmpty() ? "" : ": " + said;
  }

  /** Returns the failure in one line. */
  public static String summary(Throwable any) {
    Throwable thrown = any instanceof UncheckedIOException ? any.getCause() : any;
    String message = thrown.getMessage();
    String firstLine = message == null ? "" : message.strip().lines().findFirst().orElse("");
    boolean speaksForItself = thrown instanceof WorkerException || thrown instanceof TraceException;
    String name = thrown.getClass().getSimpleName();
    return speaksForItself ? firstLine : firstLine.isEmpty() ? name : name + ": " + firstLine;
  }
}
