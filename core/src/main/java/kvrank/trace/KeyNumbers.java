package kvrank.trace;

import java.security.SecureRandom;
import java.util.Arrays;
import kvrank.workload.random.CounterRandom;

/**
 * Numbers for keys, in the order in which they first appear. A key is stored as a hash of 64 bits
 * with a random salt that is not kept. Among a hundred million keys, two have the same hash with a
 * probability of 1 in 3,700.
 */
final class KeyNumbers {

  private static final long PRIME = 0x100000001B3L;

  private final long salt = new SecureRandom().nextLong();
  private long[] hashes = new long[1 << 10];
  private int[] numbers = new int[hashes.length];
  private int size;

  /** Returns the number of keys. */
  int size() {
    return size;
  }

  /**
   * Returns a key's number, the next one if it is new; {@code space} distinguishes keys of the same
   * name.
   */
  int of(long space, byte[] text, int from, int to) {
    long hash = CounterRandom.mix(salt + space);
    for (int i = from; i < to; i++) {
      hash = (hash ^ text[i]) * PRIME;
      hash ^= hash >>> 32;
    }
    hash = CounterRandom.mix(hash ^ (to - from));
    hash = hash == 0 ? 1 : hash;
    if (2 * size >= hashes.length) {
      grow();
    }
    int place = place(hash);
    if (hashes[place] == 0) {
      hashes[place] = hash;
      numbers[place] = size++;
    }
    return numbers[place];
  }

  private int place(long hash) {
    int place = (int) hash & (hashes.length - 1);
    while (hashes[place] != 0 && hashes[place] != hash) {
      place = (place + 1) & (hashes.length - 1);
    }
    return place;
  }

  private void grow() {
    long[] oldHashes = hashes;
    int[] oldNumbers = numbers;
    hashes = new long[2 * oldHashes.length];
    numbers = Arrays.copyOf(numbers, hashes.length);
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldHashes[i] != 0) {
        int place = place(oldHashes[i]);
        hashes[place] = oldHashes[i];
        numbers[place] = oldNumbers[i];
      }
    }
  }
}
