package kvrank.binding;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Prints each distinct message once and counts how often it was reported. If a server is gone,
 * client threads meet the same error up to a million times a second.
 */
public final class ErrorLog {

  /** Maximum number of distinct messages: more of them probably contain a key. */
  static final int LIMIT = 100;

  private static final int MOST_FREQUENT = 3;

  private static final ErrorLog STANDARD = new ErrorLog(System.err);

  private final Set<String> printed = ConcurrentHashMap.newKeySet();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final PrintStream out;

  public ErrorLog(PrintStream out) {
    this.out = out;
  }

  /**
   * Returns the log that all bindings of this JVM share. It prints to the standard error stream.
   */
  public static ErrorLog standard() {
    return STANDARD;
  }

  /** Counts {@code message}, and prints it if it is new. */
  public void report(String message) {
    count(message);
    if (printed.size() < LIMIT && printed.add(message)) {
      out.println(message);
    }
  }

  /** Counts {@code message} without printing it. */
  public void count(String message) {
    if (counts.size() < LIMIT || counts.containsKey(message)) {
      counts.computeIfAbsent(message, m -> new LongAdder()).increment();
    }
  }

  /** Sets all counts to 0. Messages that were printed are not printed again. */
  public void reset() {
    counts.clear();
  }

  /**
   * Returns the three most frequent messages since the last {@link #reset}, each with its count, as
   * in {@code timeout (x12); reset (x3)}; empty if there were none.
   */
  public String mostFrequent() {
    return counts.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<String, LongAdder> entry) -> -entry.getValue().sum())
                .thenComparing(Map.Entry::getKey))
        .limit(MOST_FREQUENT)
        .map(entry -> "%s (x%d)".formatted(entry.getKey(), entry.getValue().sum()))
        .collect(Collectors.joining("; "));
  }
}
