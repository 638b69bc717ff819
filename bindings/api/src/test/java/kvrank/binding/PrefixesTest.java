package kvrank.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PrefixesTest {

  @Test
  void theLastByteBelow255IsIncremented() {
    assertThat(Prefixes.successor(bytes('a', 'b'))).hasValue(bytes('a', 'c'));
    assertThat(Prefixes.successor(bytes('a', 0xFF, 0xFF))).hasValue(bytes('b'));
    assertThat(Prefixes.successor(bytes(0x7F))).hasValue(bytes(0x80));
    assertThat(Prefixes.successor(bytes(0))).hasValue(bytes(1));
  }

  @Test
  void thereIsNoSuccessorOfTheLargestKeys() {
    assertThat(Prefixes.successor(bytes())).isEmpty();
    assertThat(Prefixes.successor(bytes(0xFF, 0xFF))).isEmpty();
  }

  @Test
  void keysWithThePrefixAreThoseInBetween() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] prefix = key(random);
      byte[] key = key(random);
      boolean has =
          key.length >= prefix.length
              && Arrays.equals(prefix, 0, prefix.length, key, 0, prefix.length);
      boolean between =
          Arrays.compareUnsigned(key, prefix) >= 0
              && Prefixes.successor(prefix)
                  .map(end -> Arrays.compareUnsigned(key, end) < 0)
                  .orElse(true);
      assertThat(between).isEqualTo(has);
    }
  }

  /** Short and with extreme bytes, so that keys often share a prefix. */
  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(4) - 2);
    }
    return key;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
