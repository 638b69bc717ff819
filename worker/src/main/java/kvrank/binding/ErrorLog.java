package kvrank.binding;

import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prints each distinct message once, so that an engine which is gone fills no log: a client thread
 * meets the same error up to a million times a second.
 */
public final class ErrorLog {

  /** Messages after this many distinct ones are dropped: they vary with the key, most likely. */
  static final int LIMIT = 100;

  private static final ErrorLog STANDARD = new ErrorLog(System.err);

  private final Set<String> printed = ConcurrentHashMap.newKeySet();
  private final PrintStream out;

  public ErrorLog(PrintStream out) {
    this.out = out;
  }

  /**
   * The one log of this JVM, on the standard error stream. YCSB makes one binding per client
   * thread, and they share nothing else.
   */
  public static ErrorLog standard() {
    return STANDARD;
  }

  /** Prints {@code message}, unless it was printed before. */
  public void report(String message) {
    if (printed.size() < LIMIT && printed.add(message)) {
      out.println(message);
    }
  }
}
