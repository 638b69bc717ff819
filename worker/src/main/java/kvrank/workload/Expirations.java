package kvrank.workload;

import java.util.concurrent.atomic.AtomicLongArray;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;

/**
 * By when engines have to have forgotten what was written, as far as the last million of values
 * with a time to live. Shared by all clients of a worker.
 */
public final class Expirations {

  /** The coarsest clocks tick in seconds, and so does a time to live. */
  private static final long RESOLUTION_MILLIS = 1_000;

  private static final int PLACES = 1 << 20;
  private static final long MILLIS = 0xFFFF_FFFFL;

  /** Half of a value's token, and the time in milliseconds; empty if no value ever goes. */
  private final AtomicLongArray ends;

  private final long origin = System.nanoTime();

  /**
   * @param records whether it can be told of their values when they have to go; of a trace it is
   *     told of those that are long enough
   */
  Expirations(Dataset records) {
    ValueShape values = records.values();
    int bytes = records.trace().isPresent() ? values.sizes().max() : values.sizes().min();
    boolean known = records.expires() && bytes >= values.kind().smallestVerifiable();
    ends = new AtomicLongArray(known ? PLACES : 0);
  }

  /** Returns whether there is something to be known. */
  public boolean known() {
    return ends.length() > 0;
  }

  /** Returns the time, for {@link #stale}; 0 if nothing is known. */
  public long now() {
    return known() ? 1 + (System.nanoTime() - origin) / 1_000_000 : 0;
  }

  /** Notes {@code value}, whose write was acknowledged just now. */
  public void wrote(Value value) {
    int seconds = value.ttlSeconds();
    if (known() && seconds > 0) {
      long token = value.token();
      long end = now() + 1_000L * seconds;
      ends.setOpaque((int) token & (PLACES - 1), (token & ~MILLIS) | (end & MILLIS));
    }
  }

  /**
   * Returns whether a request that began at {@code begun} should not have found the value with this
   * token any more. Its engine counts from before the acknowledgement, so it has had more time.
   */
  public boolean stale(long token, long begun) {
    long noted = ends.getOpaque((int) token & (PLACES - 1));
    return noted != 0
        && ((noted ^ token) & ~MILLIS) == 0
        && begun > (noted & MILLIS) + RESOLUTION_MILLIS;
  }
}
