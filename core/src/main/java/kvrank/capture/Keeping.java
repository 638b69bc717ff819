package kvrank.capture;

import java.util.Map;

/**
 * Expirations, evictions and misses of a server, from INFO before and after the capture.
 *
 * @param limit its maxmemory in bytes, 0 for none
 * @param policy its maxmemory-policy
 * @param evicted the number of keys evicted during the capture
 * @param expired the number of keys that expired
 * @param hits the number of reads that found their key, without the capture's own
 * @param misses the number of reads that did not
 */
record Keeping(
    double limit, String policy, double evicted, double expired, double hits, double misses) {

  /** More misses than these are of other keys than expired ones; fewer may be chance. */
  private static final double ALL_EXPIRED = 0.8;

  /** Returns the difference between two answers to INFO; the capture's own are subtracted. */
  static Keeping between(
      Map<String, String> before,
      Map<String, String> after,
      Map<String, String> memory,
      long ownHits,
      long ownMisses) {
    return new Keeping(
        Capture.number(memory, "maxmemory"),
        Capture.word(memory, "maxmemory_policy", "unknown"),
        more(before, after, "evicted_keys"),
        more(before, after, "expired_keys"),
        Math.max(0, more(before, after, "keyspace_hits") - ownHits),
        Math.max(0, more(before, after, "keyspace_misses") - ownMisses));
  }

  /** Returns whether evictions depend on accesses to keys, or may do so. */
  static boolean byAccess(Map<String, String> memory) {
    return memory.getOrDefault("maxmemory_policy", "").matches(".*l[rf]u")
        || memory.getOrDefault("cache_mode", "").equals("cache");
  }

  private static double more(Map<String, String> before, Map<String, String> after, String name) {
    return Math.max(0, Capture.number(after, name) - Capture.number(before, name));
  }

  /** Returns whether it may evict any key, as engines with a maxmemory do. */
  boolean evicts() {
    return evicted > 0 && limit > 0 && policy.startsWith("allkeys-");
  }

  /** Returns the share of the reads that found their key; 1 if there were none. */
  double hitRatio() {
    return hits + misses > 0 ? hits / (hits + misses) : 1;
  }

  /**
   * Returns the share of the reads that miss because a key has expired. At the same popularity, the
   * same share of the writes ends in an expiration; other misses are reads of keys that never
   * existed.
   */
  double missesOfExpired(long writes) {
    double ended = expired / Math.max(1, writes);
    double missed = 1 - hitRatio();
    return ended < ALL_EXPIRED * missed ? ended : missed;
  }

  /**
   * Returns whether writes may fill misses: in a cache, or if there are as many writes as misses.
   */
  boolean fills(long writes) {
    return misses > 0 && writes >= 0.9 * misses && (evicts() || writes <= 1.1 * misses);
  }
}
