package kvrank.capture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What was seen of keys that a server chose by chance: numbers, and no key. */
final class KeySample {

  /** What ends the prefix of a key, by convention. */
  private static final String SEPARATORS = ":/|.#-_";

  private final long salt;
  private final SplittableRandom random;
  private final List<Integer> keyBytes = new ArrayList<>();
  private final List<Integer> valueBytes = new ArrayList<>();
  private final List<Long> remaining = new ArrayList<>();
  private int others;
  private final Map<Long, Integer> prefixes = new HashMap<>();

  /**
   * A sample.
   *
   * @param salt what prefixes are hashed with; chooses lengths that are known to a class alone, too
   */
  KeySample(long salt) {
    this.salt = salt;
    this.random = new SplittableRandom(salt);
  }

  /**
   * Adds a key with a value of so many bytes.
   *
   * @param millis what PTTL says
   */
  void add(byte[] key, int bytes, long millis) {
    valueBytes.add(bytes);
    addKey(key, millis);
  }

  /** Adds a key whose value is no string. */
  void addOther(byte[] key, long millis) {
    others++;
    addKey(key, millis);
  }

  private void addKey(byte[] key, long millis) {
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
        hash = Server.mix(hash ^ key[i]) + i;
      }
      prefixes.merge(hash, 1, Integer::sum);
    }
  }

  /**
   * Returns a length of a value that takes so much memory. Redis allocates in classes, four to an
   * octave, of which one is drawn with all its lengths alike: an object of 16 bytes, in one piece
   * with a string of up to 44, and an entry of 24 that refers to the key.
   *
   * @param usage what MEMORY USAGE says, in bytes
   */
  int valueBytes(long usage, int keyLength) {
    long rest = usage - 24 - allocated(keyLength + header(keyLength));
    boolean embedded = rest <= 64;
    long string = embedded ? rest : rest - 16;
    long most = string - (embedded ? 20 : header(string));
    long least = most - (string - below(string)) + 1;
    return (int)
        Math.max(
            1, Math.max(least, 1) + random.nextLong(Math.max(1, most - Math.max(least, 1) + 1)));
  }

  private static int header(long length) {
    return length < 256 ? 4 : length < 65_536 ? 6 : 10;
  }

  /** Returns the bytes that jemalloc gives to so many. */
  private static long allocated(long bytes) {
    long step = step(bytes);
    return (bytes + step - 1) / step * step;
  }

  /** Returns the class below the one that has so many bytes. */
  private static long below(long bytes) {
    return allocated(bytes) - step(bytes);
  }

  private static long step(long bytes) {
    return bytes <= 128 ? 16 : Long.highestOneBit(bytes - 1) / 4;
  }

  /** Returns the number of keys. */
  int count() {
    return keyBytes.size();
  }

  /** Returns how many of the keys have a value that is no string. */
  int others() {
    return others;
  }

  /** Returns the lengths of the keys, the shortest first. */
  int[] keyBytes() {
    return keyBytes.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** Returns the lengths of the values, the shortest first. */
  int[] valueBytes() {
    return valueBytes.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** Returns the milliseconds that keys had left, the fewest first. */
  long[] remaining() {
    return remaining.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** Returns the share of the keys that have a separator, and with it a prefix. */
  double prefixed() {
    return (double) prefixes.values().stream().mapToInt(Integer::intValue).sum() / count();
  }

  /**
   * Returns how many keys share a prefix with a key on average, itself included, by the share of
   * all pairs that have the same one; a key can be in the sample twice.
   *
   * @param keys how many keys there are in all
   */
  long perPrefix(long keys) {
    double n = count();
    double same = prefixes.values().stream().mapToDouble(size -> size * (size - 1.0)).sum();
    return Math.max(1, Math.round(keys * same / (n * (n - 1))));
  }
}
