package kvrank.worker.call;

import java.io.PrintStream;
import kvrank.binding.ErrorLog;
import kvrank.worker.protocol.WorkerException;

/** Logs the exceptions of a binding: the first in full, later ones rarely. */
public final class ExceptionLog {

  private static final int IN_FULL = 5;
  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final PrintStream log;
  private long seen;
  private long lastNanos;

  public ExceptionLog(PrintStream log) {
    this.log = log;
  }

  public synchronized void add(String what, Throwable thrown) {
    ErrorLog.standard().count(WorkerException.summary(thrown));
    seen++;
    long now = System.nanoTime();
    if (seen <= IN_FULL) {
      log.println(what + " threw:");
      thrown.printStackTrace(log);
    } else if (now - lastNanos < INTERVAL_NANOS) {
      return;
    } else {
      log.println(what + " threw " + thrown + " (" + seen + " exceptions so far)");
    }
    lastNanos = now;
  }
}
