package kvrank.workload.value;

import kvrank.workload.random.CounterRandom;

/**
 * Which writes have a time to live.
 *
 * @param share of the writes, in [0, 1], chosen by seed, record and version, so the same on every
 *     engine
 * @param seconds until the engine must forget a record
 */
public record Ttl(double share, int seconds) {

  public static final Ttl NONE = new Ttl(0, 0);

  /** A month: memcached interprets larger numbers as a date. */
  public static final int MOST_SECONDS = 30 * 24 * 60 * 60;

  /** The largest time that ends within a run. */
  public static final int MOST_SECONDS_OF_A_RUN = 60;

  /** Returns the seconds to live of the value with this random {@code token}; 0 for no limit. */
  int seconds(long token) {
    return share > 0 && (CounterRandom.at(token, 1) >>> 11) * 0x1p-53 < share ? seconds : 0;
  }
}
