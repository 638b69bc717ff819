package kvrank.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import kvrank.workload.random.CounterRandom;

/** What was seen of keys that a server chose by chance: numbers, and no key. */
final class KeySample {

  /** What ends the prefix of a key, by convention. */
  private static final String SEPARATORS = ":/|.#-_";

  private final long salt;
  private final SplittableRandom random;
  private final List<Integer> keyBytes = new ArrayList<>();
  private final List<Integer> valueBytes = new ArrayList<>();
  private final List<Long> remaining = new ArrayList<>();
  private final Map<Long, Integer> prefixes = new HashMap<>();

  /** A sample whose prefixes are hashed with a salt, which chooses lengths within a class, too. */
  KeySample(long salt) {
    this.salt = salt;
    this.random = new SplittableRandom(salt);
  }

  /** Adds a key, of which PTTL says {@code millis}. */
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
   * Adds a length of a value of which MEMORY USAGE says {@code usage} bytes. Redis allocates in
   * classes, four to an octave, whose lengths are taken for alike: an object of 16 bytes, in one
   * piece with a string of up to 44, and an entry of 24 that refers to the key.
   */
  void addUsage(long usage, int keyLength) {
    long step = step(keyLength + 4);
    long rest = usage - 24 - (keyLength + 3 + step) / step * step;
    long string = rest <= 64 ? rest : rest - 16;
    long header = rest <= 64 ? 20 : string <= 256 ? 4 : 6;
    addValue((int) Math.max(1, string - header - random.nextLong(step(string))));
  }

  /** Returns by how much the class of so many bytes is larger than the one below it. */
  private static long step(long bytes) {
    return bytes <= 128 ? 16 : Long.highestOneBit(bytes - 1) / 4;
  }

  /** Returns the number of keys. */
  int count() {
    return keyBytes.size();
  }

  /** Returns the mean length of the keys, in whole bytes; at least 1. */
  int meanKey() {
    return (int)
        Math.max(1, keyBytes.stream().mapToLong(each -> each).sum() / Math.max(1, count()));
  }

  /** Returns how many of the keys have a value that is no string. */
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

  /** Returns the milliseconds that keys had left, in the order in which they were added. */
  long[] remaining() {
    return remaining.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns the share of the keys that have a separator, and with it a prefix. */
  double prefixed() {
    return (double) prefixes.values().stream().mapToInt(Integer::intValue).sum() / count();
  }

  /**
   * Returns how many of {@code keys} share a prefix with one on average, itself included, by the
   * share of all pairs that have the same one; a key can be in the sample twice.
   */
  long perPrefix(long keys) {
    double n = count();
    double same = prefixes.values().stream().mapToDouble(size -> size * (size - 1.0)).sum();
    return Math.max(1, Math.round(keys * same / (n * (n - 1))));
  }
}
