package kvrank.workload;

import java.util.concurrent.atomic.AtomicLongArray;
import kvrank.workload.value.Value;
import kvrank.workload.value.ValueShape;

/** When the last million values with a time to live expire. Shared by all clients of a worker. */
public final class Expirations {

  /** The coarsest clocks, and times to live, have a resolution of a second. */
  private static final long RESOLUTION_MILLIS = 1_000;

  private static final int PLACES = 1 << 20;
  private static final long MILLIS = 0xFFFF_FFFFL;

  /** The upper half of a value's token and the time in milliseconds; empty if no value expires. */
  private final AtomicLongArray ends;

  private final long origin = System.nanoTime();

  Expirations(Dataset records) {
    ValueShape values = records.values();
    int bytes = records.trace().isPresent() ? values.sizes().max() : values.sizes().min();
    boolean known = records.expires() && bytes >= values.kind().smallestVerifiable();
    ends = new AtomicLongArray(known ? PLACES : 0);
  }

  /** Returns whether expirations are known: values must be long enough to state their version. */
  public boolean known() {
    return ends.length() > 0;
  }

  /** Returns the time for {@link #stale}; 0 if expirations are unknown. */
  public long now() {
    return known() ? 1 + (System.nanoTime() - origin) / 1_000_000 : 0;
  }

  /** Records {@code value}, whose write has just been acknowledged. */
  public void wrote(Value value) {
    int seconds = value.ttlSeconds();
    if (known() && seconds > 0) {
      long token = value.token();
      long end = now() + 1_000L * seconds;
      ends.setOpaque((int) token & (PLACES - 1), (token & ~MILLIS) | (end & MILLIS));
    }
  }

  /**
   * Returns whether the value with this token had expired when a request began at {@code begun}.
   * The engine started to count before the acknowledgement, so it had more time.
   */
  public boolean stale(long token, long begun) {
    long noted = ends.getOpaque((int) token & (PLACES - 1));
    return noted != 0
        && ((noted ^ token) & ~MILLIS) == 0
        && begun > (noted & MILLIS) + RESOLUTION_MILLIS;
  }
}
