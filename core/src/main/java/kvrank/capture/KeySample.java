package kvrank.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import kvrank.workload.random.CounterRandom;

/** Statistics of keys that a server chose at random, without the keys. */
final class KeySample {

  /** Characters that end the prefix of a key, by convention. */
  private static final String SEPARATORS = ":/|.#-_";

  private final long salt;
  private final SplittableRandom random;
  private final List<Integer> keyBytes = new ArrayList<>();
  private final List<Integer> valueBytes = new ArrayList<>();
  private final List<Long> remaining = new ArrayList<>();
  private final Map<Long, Integer> prefixes = new HashMap<>();

  /**
   * A sample; the salt is for hashes of prefixes, and the seed that draws lengths within a class.
   */
  KeySample(long salt) {
    this.salt = salt;
    this.random = new SplittableRandom(salt);
  }

  /** Adds a key; {@code millis} is the answer to PTTL. */
  void add(byte[] key, long millis) {
    keyBytes.add(key.length);
    if (millis >= 0) {
      remaining.add(millis);
    }
    int end = key.length;
    while (end > 0 && SEPARATORS.indexOf(key[end - 1]) < 0) {
      end--;
    }
    if (end > 0) {
      long hash = salt;
      for (int i = 0; i < end; i++) {
        hash = CounterRandom.mix(hash ^ key[i]) + i;
      }
      prefixes.merge(hash, 1, Integer::sum);
    }
  }

  /** Adds the length of the value of a key. */
  void addValue(int bytes) {
    valueBytes.add(bytes);
  }

  /**
   * Adds the length of a value from the answer to MEMORY USAGE, drawn uniformly from the lengths
   * that fit. Redis allocates in size classes, four per octave: an object of 16 bytes, in one piece
   * with a string of up to 44, and an entry of 24 bytes that refers to the key.
   */
  void addUsage(long usage, int keyLength) {
    long step = step(keyLength + 4);
    long rest = usage - 24 - (keyLength + 3 + step) / step * step;
    long string = rest <= 64 ? rest : rest - 16;
    long header = rest <= 64 ? 20 : string <= 256 ? 4 : 6;
    addValue((int) Math.max(1, string - header - random.nextLong(step(string))));
  }

  /** Returns the difference between the size class of {@code bytes} and the next smaller one. */
  private static long step(long bytes) {
    return bytes <= 128 ? 16 : Long.highestOneBit(bytes - 1) / 4;
  }

  /** Returns the number of keys. */
  int count() {
    return keyBytes.size();
  }

  /** Returns the mean length of the keys in bytes, at least 1. */
  int meanKey() {
    return (int)
        Math.max(1, keyBytes.stream().mapToLong(each -> each).sum() / Math.max(1, count()));
  }

  /** Returns the number of keys whose value is not a string. */
  int others() {
    return keyBytes.size() - valueBytes.size();
  }

  /** Returns the lengths of the keys, the shortest first. */
  int[] keyBytes() {
    return keyBytes.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** Returns the lengths of the values, the shortest first. */
  int[] valueBytes() {
    return valueBytes.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** Returns the remaining times to live in milliseconds, in the order in which keys were added. */
  long[] remaining() {
    return remaining.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the share of the keys that have a separator, and so a prefix. */
  double prefixed() {
    return (double) prefixes.values().stream().mapToInt(Integer::intValue).sum() / count();
  }

  /**
   * Returns the mean number of keys that share a prefix, out of {@code keys}. It is estimated from
   * the share of pairs with the same prefix; a key can be in the sample twice.
   */
  long perPrefix(long keys) {
    double n = count();
    double same = prefixes.values().stream().mapToDouble(size -> size * (size - 1.0)).sum();
    return Math.max(1, Math.round(keys * same / (n * (n - 1))));
  }
}
