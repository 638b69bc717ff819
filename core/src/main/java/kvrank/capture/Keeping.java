package kvrank.capture;

import java.util.Map;

/**
 * What a server forgets, gives up and therefore misses, by INFO before and after.
 *
 * @param limit its maxmemory in bytes, 0 for none
 * @param policy its maxmemory-policy
 * @param evicted how many keys it gave up meanwhile
 * @param expired how many keys ended meanwhile
 * @param hits how many reads found their key, without the capture's own
 * @param misses how many did not
 */
record Keeping(
    double limit, String policy, double evicted, double expired, double hits, double misses) {

  /** What happened between two times, of which {@code own} hits are of the capture itself. */
  static Keeping between(
      Map<String, String> before, Map<String, String> after, Map<String, String> memory, long own) {
    return new Keeping(
        Capture.number(memory, "maxmemory"),
        Capture.word(memory, "maxmemory_policy", "unknown"),
        more(before, after, "evicted_keys"),
        more(before, after, "expired_keys"),
        Math.max(0, more(before, after, "keyspace_hits") - own),
        more(before, after, "keyspace_misses"));
  }

  /** Returns whether what a server gives up depends on which keys were asked for, or may. */
  static boolean byAccess(Map<String, String> memory) {
    return memory.getOrDefault("maxmemory_policy", "").matches(".*l[rf]u")
        || memory.getOrDefault("cache_mode", "").equals("cache");
  }

  private static double more(Map<String, String> before, Map<String, String> after, String name) {
    return Math.max(0, Capture.number(after, name) - Capture.number(before, name));
  }

  /** Returns whether it gives up whatever key it likes, as engines with a maxmemory do. */
  boolean evicts() {
    return evicted > 0 && limit > 0 && policy.startsWith("allkeys-");
  }

  /** Returns the share of the reads that found their key; 1 if there were none. */
  double hitRatio() {
    return hits + misses > 0 ? hits / (hits + misses) : 1;
  }

  /** Returns whether writes follow misses: in a cache, or if there are as many of both. */
  boolean fills(long writes) {
    return misses > 0 && writes >= 0.9 * misses && (evicts() || writes <= 1.1 * misses);
  }
}
