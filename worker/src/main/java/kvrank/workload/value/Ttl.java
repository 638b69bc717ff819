package kvrank.workload.value;

import kvrank.workload.random.CounterRandom;

/**
 * Which writes have a time to live.
 *
 * @param share the share of the writes, in [0, 1]; which ones is a pure function of the seed, the
 *     record's number and the version, so the same on every engine
 * @param seconds after how many seconds the engine is to forget such a record
 */
public record Ttl(double share, int seconds) {

  /** None has one. */
  public static final Ttl NONE = new Ttl(0, 0);

  /** A month: memcached takes a longer one for a date. */
  public static final int MOST_SECONDS = 30 * 24 * 60 * 60;

  /** One that ends within a run which a user waits for. */
  public static final int MOST_SECONDS_OF_A_RUN = 60;

  /** Returns the seconds that the value with this random {@code token} has; 0 for no end. */
  int seconds(long token) {
    return share > 0 && (CounterRandom.at(token, 1) >>> 11) * 0x1p-53 < share ? seconds : 0;
  }
}
