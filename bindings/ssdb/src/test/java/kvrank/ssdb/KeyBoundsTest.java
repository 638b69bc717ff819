package kvrank.ssdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class KeyBoundsTest {

  @Test
  void theKeyBeforeIsTheGreatestLesserOne() {
    assertThat(KeyBounds.before(bytes('a', 0))).isEqualTo(bytes('a'));
    assertThat(KeyBounds.before(bytes('a')))
        .hasSize(KeyBounds.LONGEST)
        .startsWith(bytes('a' - 1, 0xFF))
        .endsWith(bytes(0xFF));
    assertThat(KeyBounds.before(bytes())).isEmpty();
    byte[] longest = new byte[KeyBounds.LONGEST];
    longest[KeyBounds.LONGEST - 1] = 5;
    assertThat(KeyBounds.before(longest)).hasSize(KeyBounds.LONGEST).endsWith(bytes(0, 4));
    assertThat(KeyBounds.before(Arrays.copyOf(longest, 300)))
        .as("longer than any key, and greater than the longest one that it starts with")
        .isEqualTo(longest);
  }

  /** As SSDB scans: the start exclusive, the end inclusive. */
  @Test
  void keysWithThePrefixAreThoseInBetween() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] prefix = key(random);
      byte[] key = key(random);
      if (prefix.length == 0 || key.length == 0) {
        continue;
      }
      boolean has =
          key.length >= prefix.length
              && Arrays.equals(prefix, 0, prefix.length, key, 0, prefix.length);
      boolean between =
          Arrays.compareUnsigned(key, KeyBounds.before(prefix)) > 0
              && Arrays.compareUnsigned(key, KeyBounds.lastWith(prefix)) <= 0;
      assertThat(between).isEqualTo(has);
    }
  }

  /** Very short or as long as can be, and of bytes at the edges, so that neighbours are common. */
  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(4)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(4) - 2);
    }
    if (random.nextInt(4) > 0) {
      return key;
    }
    byte[] longest = Arrays.copyOf(key, KeyBounds.LONGEST);
    Arrays.fill(longest, key.length, longest.length, (byte) -1);
    return longest;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
