package kvrank.capture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import kvrank.workload.random.CounterRandom;
import kvrank.workload.value.ValueSizes;

/** Statistics of keys that a server chose at random, and of keys that clients accessed. */
final class KeySample {

  /** Characters that end the prefix of a key, by convention. */
  private static final String SEPARATORS = ":/|.#-_";

  /** The most accessed keys that wait for questions about them. */
  static final int MOST_WAITING = 500;

  /** The answer to PTTL if a key is missing. */
  static final long MISSING = -2;

  /**
   * A key without its bytes.
   *
   * @param hash as in {@link Accesses}
   * @param bytes the length of its value; negative if that is not a string, or is missing
   * @param millis the answer to PTTL
   * @param read whether a client read it; otherwise one wrote it, or the server chose it
   */
  record Key(long hash, int bytes, long millis, boolean read) {

    boolean expires() {
      return millis >= 0;
    }
  }

  /** A key that a client read or wrote. */
  static final class Accessed {

    private final byte[] key;
    private final boolean read;

    Accessed(byte[] key, boolean read) {
      this.key = key;
      this.read = read;
    }

    byte[] key() {
      return key;
    }

    boolean read() {
      return read;
    }
  }

  private final long salt;
  private final SplittableRandom random;
  private final List<Integer> keyBytes = new ArrayList<>();
  private final List<Key> keys = new ArrayList<>();
  private final List<Key> accessed = new ArrayList<>();
  private final List<Accessed> waiting = new ArrayList<>();
  private final Map<Long, Integer> prefixes = new HashMap<>();
  private int offered;

  /** A sample; the salt is for hashes, and the seed that draws lengths within a class. */
  KeySample(long salt) {
    this.salt = salt;
    this.random = new SplittableRandom(salt);
  }

  /** Offers a key that a client accessed: all keys of a window wait with the same probability. */
  void offer(Accessed key) {
    int place = offered < MOST_WAITING ? offered : random.nextInt(offered + 1);
    offered++;
    if (place == waiting.size()) {
      waiting.add(key);
    } else if (place < MOST_WAITING) {
      waiting.set(place, key);
    }
  }

  /** Forgets the waiting keys of the last window, before the next one. */
  void beginWindow() {
    waiting.clear();
    offered = 0;
  }

  /** Returns up to {@code most} of the accessed keys that wait, in random order. */
  List<Accessed> take(int most) {
    List<Accessed> taken = new ArrayList<>();
    while (taken.size() < most && !waiting.isEmpty()) {
      Collections.swap(waiting, random.nextInt(waiting.size()), waiting.size() - 1);
      taken.add(waiting.remove(waiting.size() - 1));
    }
    return taken;
  }

  /** Adds an accessed key. */
  void addAccessed(Key key) {
    accessed.add(key);
  }

  /** Adds a key that the server chose. */
  void add(byte[] bytes, Key key) {
    keyBytes.add(bytes.length);
    keys.add(key);
    int end = bytes.length;
    while (end > 0 && SEPARATORS.indexOf(bytes[end - 1]) < 0) {
      end--;
    }
    if (end > 0) {
      long hash = salt;
      for (int i = 0; i < end; i++) {
        hash = CounterRandom.mix(hash ^ bytes[i]) + i;
      }
      prefixes.merge(hash, 1, Integer::sum);
    }
  }

  /**
   * Returns the length of a value from the answer to MEMORY USAGE, drawn uniformly from the lengths
   * that fit. Redis allocates in size classes, four per octave: an object of 16 bytes, in one piece
   * with a string of up to 44, and an entry of 24 bytes that refers to the key.
   */
  int bytes(long usage, int keyLength) {
    long step = step(keyLength + 4);
    long rest = usage - 24 - (keyLength + 3 + step) / step * step;
    long string = rest <= 64 ? rest : rest - 16;
    long header = rest <= 64 ? 20 : string <= 256 ? 4 : 6;
    return Math.max(1, bounded(string - header - random.nextLong(step(string))));
  }

  /** Returns {@code bytes}, which a server stated, or the nearest length that a value can have. */
  static int bounded(long bytes) {
    return (int) Math.max(0, Math.min(ValueSizes.MOST_BYTES, bytes));
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
    return (int) keys.stream().filter(key -> key.bytes() < 0).count();
  }

  /** Returns the lengths of the keys, the shortest first. */
  int[] keyBytes() {
    return keyBytes.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** Returns the keys with strings that the server chose. */
  List<Key> strings() {
    return keys.stream().filter(key -> key.bytes() >= 0).toList();
  }

  /** Returns the accessed keys, as often as they were drawn. */
  List<Key> accessed() {
    return accessed;
  }

  /** Returns the lengths of values that clients accessed, as often as they were drawn. */
  int[] accessedBytes() {
    return accessed.stream().mapToInt(Key::bytes).filter(each -> each >= 0).toArray();
  }

  /** Returns the accessed keys of a kind, each once. */
  List<Key> distinct(Predicate<Key> kind) {
    Map<Long, Key> distinct = new LinkedHashMap<>();
    accessed.stream().filter(kind).forEach(key -> distinct.putIfAbsent(key.hash(), key));
    return List.copyOf(distinct.values());
  }

  /** Returns the remaining times to live in milliseconds, in the order in which keys were added. */
  long[] remaining() {
    return keys.stream().mapToLong(Key::millis).filter(millis -> millis >= 0).toArray();
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
