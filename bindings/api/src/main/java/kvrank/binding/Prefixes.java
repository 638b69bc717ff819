package kvrank.binding;

import java.util.Arrays;
import java.util.Optional;

/** Prefixes of keys in byte order. */
public final class Prefixes {

  private Prefixes() {}

  /**
   * Returns the smallest key that is greater than every key with {@code prefix}: the keys with the
   * prefix are those in {@code [prefix, successor)}. Empty if there is none, because the prefix is
   * empty or all of its bytes are 0xFF.
   */
  public static Optional<byte[]> successor(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return Optional.empty();
    }
    byte[] successor = Arrays.copyOf(prefix, length);
    successor[length - 1]++;
    return Optional.of(successor);
  }
}
