package kvrank.ssdb;

import java.util.Arrays;

/**
 * The neighbours of keys, among those that SSDB can hold: 1 to {@value #LONGEST} bytes, in byte
 * order. Since keys are finite in length, each has a greatest lower neighbour.
 */
final class KeyBounds {

  static final int LONGEST = 255;

  private KeyBounds() {}

  /**
   * The greatest key that is less than {@code key}; empty if there is none. The scan of SSDB leaves
   * its start out, so a scan from here begins with {@code key}.
   */
  static byte[] before(byte[] key) {
    if (key.length == 0) {
      return key;
    }
    if (key.length > LONGEST) {
      return Arrays.copyOf(key, LONGEST);
    }
    int last = key.length - 1;
    if (key[last] == 0) {
      return Arrays.copyOf(key, last);
    }
    byte[] before = filled(Arrays.copyOf(key, last + 1));
    before[last]--;
    return before;
  }

  /** The greatest key with {@code prefix}; empty, which SSDB takes for no end, if that is empty. */
  static byte[] lastWith(byte[] prefix) {
    return prefix.length == 0 ? prefix : filled(prefix);
  }

  private static byte[] filled(byte[] prefix) {
    byte[] filled = Arrays.copyOf(prefix, LONGEST);
    Arrays.fill(filled, prefix.length, LONGEST, (byte) 0xFF);
    return filled;
  }
}
