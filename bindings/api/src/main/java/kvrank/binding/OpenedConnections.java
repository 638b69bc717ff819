package kvrank.binding;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the connections that bindings of this JVM open to their server: kvrank compares them with
 * the server's own count, to find connections of others.
 */
public final class OpenedConnections {

  private static final AtomicLong COUNT = new AtomicLong();

  private OpenedConnections() {}

  /** Counts one, before it is opened: a server may count one that its client gave up. */
  public static void add() {
    COUNT.incrementAndGet();
  }

  /** Returns their number since the start; 0 also if a binding does not count them. */
  public static long count() {
    return COUNT.get();
  }
}
