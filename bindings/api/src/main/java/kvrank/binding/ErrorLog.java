package kvrank.binding;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Prints each distinct message once, so that an engine which is gone fills no log: a client thread
 * meets the same error up to a million times a second. How often it came is counted.
 */
public final class ErrorLog {

  /** Messages after this many distinct ones are dropped: they vary with the key, most likely. */
  static final int LIMIT = 100;

  /** So many messages are said of a phase. */
  private static final int SAID = 3;

  private static final ErrorLog STANDARD = new ErrorLog(System.err);

  private final Set<String> printed = ConcurrentHashMap.newKeySet();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
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

  /** Counts {@code message}, and prints it unless it was printed before. */
  public void report(String message) {
    count(message);
    if (printed.size() < LIMIT && printed.add(message)) {
      out.println(message);
    }
  }

  /** Counts {@code message}, which is printed elsewhere. */
  public void count(String message) {
    if (counts.size() < LIMIT || counts.containsKey(message)) {
      counts.computeIfAbsent(message, m -> new LongAdder()).increment();
    }
  }

  /** Begins to count anew. */
  public void forget() {
    counts.clear();
  }

  /**
   * Returns the most frequent messages since {@link #forget}, each with its count; empty if there
   * were none.
   */
  public String said() {
    return counts.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, LongAdder> each) -> -each.getValue().sum())
                .thenComparing(Map.Entry::getKey))
        .limit(SAID)
        .map(each -> "%s (x%d)".formatted(each.getKey(), each.getValue().sum()))
        .collect(Collectors.joining("; "));
  }
}
