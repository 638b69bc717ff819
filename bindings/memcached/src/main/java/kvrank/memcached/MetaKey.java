package kvrank.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import kvrank.binding.net.SendBuffer;

/** A key as a word of a command: the key itself or, with spaces or control characters, Base64. */
final class MetaKey {

  private static final int LONGEST = 250;
  private static final byte[] BASE64 = " b".getBytes(US_ASCII);

  private final byte[] word;
  private final boolean encoded;

  private MetaKey(byte[] word, boolean encoded) {
    this.word = word;
    this.encoded = encoded;
  }

  static MetaKey of(byte[] key) {
    for (byte next : key) {
      if ((next >= 0 && next <= ' ') || next == 0x7F) {
        return new MetaKey(Base64.getEncoder().encode(key), true);
      }
    }
    return new MetaKey(key, false);
  }

  /** Returns whether memcached can hold it. */
  boolean fits() {
    return word.length >= 1 && word.length <= LONGEST;
  }

  /** Adds the word, then {@code arguments}, then the flag of a key that is encoded. */
  SendBuffer addTo(SendBuffer out, byte[] arguments) {
    out.add(word).add(arguments);
    return encoded ? out.add(BASE64) : out;
  }
}
