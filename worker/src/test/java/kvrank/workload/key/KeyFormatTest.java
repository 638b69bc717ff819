package kvrank.workload.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeyFormatTest {

  @Test
  void missingKeysSortAmongTheOthersAndAreNotRecords() {
    for (KeyShape shape :
        List.of(
            new KeyShape(9, 10),
            new KeyShape(9, 1),
            new KeyShape(12, 10, "app:", false),
            KeyShape.hashed(20))) {
      KeyFormat format = new KeyFormat(shape);
      byte[] missing = format.newKey();
      format.writeMissing(123, missing);
      assertThat(missing).hasSize(shape.bytes());
      assertThat(format.id(missing, 0, missing.length)).isEqualTo(-1);
      assertThat(KeyFormat.text(missing))
          .startsWith(format.key(123).substring(0, shape.bytes() - 1))
          .isGreaterThan(format.key(123));
      if (!shape.hashed()) {
        assertThat(KeyFormat.text(missing)).isLessThan(format.key(130));
      }
    }
  }

  @Test
  void writesGroupAndMember() {
    KeyFormat keys = new KeyFormat(new KeyShape(16, 100));
    assertThat(keys.key(0)).isEqualTo("0000000000000000");
    assertThat(keys.key(123_456)).isEqualTo("0000000000123456");
    assertThat(prefix(keys, keys.group(123_456))).isEqualTo("00000000001234");
  }

  @Test
  void writesEveryNumber() {
    for (int bytes : List.of(7, 8, 9, 15, 16, 17, 19, 40)) {
      KeyFormat keys = new KeyFormat(new KeyShape(bytes, 1));
      long below = (long) Math.min(Math.pow(10, bytes), Long.MAX_VALUE);
      LongStream drawn = new SplittableRandom(bytes).longs(50_000, 0, below);
      LongStream fours = LongStream.range(0, 10_000).map(four -> four * 1_000 % below);
      LongStream.of(0, below - 1).forEach(id -> assertThat(written(keys, id)).isTrue());
      assertThat(LongStream.concat(drawn, fours).allMatch(id -> written(keys, id))).isTrue();
      assertThat(LongStream.range(0, 10_000).allMatch(id -> written(keys, id))).isTrue();
    }
  }

  private static boolean written(KeyFormat keys, long id) {
    String digits = Long.toString(id);
    byte[] key = keys.newKey();
    keys.write(id, key);
    return KeyFormat.text(key).equals("0".repeat(key.length - digits.length()) + digits);
  }

  @Test
  void groupsNeedNotBePowersOfTen() {
    KeyFormat keys = new KeyFormat(new KeyShape(6, 37));
    assertThat(keys.key(36)).isEqualTo("000036");
    assertThat(keys.key(37)).isEqualTo("000100");
    assertThat(keys.key(37 * 12 + 5)).isEqualTo("001205");
    assertThat(prefix(keys, 12)).isEqualTo("0012");
  }

  @Test
  void aPrefixOfOneRecordIsTheWholeKey() {
    KeyFormat keys = new KeyFormat(new KeyShape(9, 1));
    assertThat(keys.key(42)).isEqualTo("000000042");
    assertThat(prefix(keys, keys.group(42))).isEqualTo("000000042");
  }

  @Test
  void aPrefixOfTheServersStandsBeforeTheDigits() {
    for (long perPrefix : List.of(100L, 37L, 1L)) {
      KeyShape shape = new KeyShape(16, perPrefix).under("own:");
      KeyFormat keys = new KeyFormat(shape);
      String digits = new KeyFormat(new KeyShape(12, perPrefix)).key(4_321);
      assertThat(keys.key(4_321)).isEqualTo("own:" + digits);
      assertThat(keys.key(4_321)).startsWith(prefix(keys, keys.group(4_321)));
      assertThat(id(keys, "own:" + digits)).isEqualTo(4_321);
      assertThat(id(keys, "owm:" + digits)).isEqualTo(-1);
      assertThat(shape.capacity()).isEqualTo(new KeyShape(12, perPrefix).capacity());
    }
    assertThat(new KeyShape(3, 1).under("own:").capacity()).isZero();
  }

  @Test
  void keysAscendAsRecordsDo() {
    for (KeyShape shape : List.of(new KeyShape(6, 7), new KeyShape(5, 100), new KeyShape(30, 1))) {
      KeyFormat keys = new KeyFormat(shape);
      List<String> written = LongStream.range(0, 5000).mapToObj(keys::key).toList();
      assertThat(written).isSorted().doesNotHaveDuplicates();
      assertThat(written).allMatch(key -> key.length() == shape.bytes());
      assertThat(LongStream.range(0, 5000).allMatch(id -> id(keys, written.get((int) id)) == id))
          .isTrue();
    }
  }

  @Test
  void knowsHowManyKeysThereAre() {
    assertThat(new KeyShape(16, 100).capacity()).isEqualTo(10_000_000_000_000_000L);
    assertThat(new KeyShape(3, 37).capacity()).isEqualTo(370);
    assertThat(new KeyShape(2, 37).capacity()).isZero();
    assertThat(new KeyShape(40, 1).capacity()).isEqualTo(Long.MAX_VALUE);
    KeyFormat keys = new KeyFormat(new KeyShape(3, 37));
    assertThat(keys.key(369)).isEqualTo("936");
    assertThatThrownBy(() -> keys.key(370)).hasMessageContaining("record number 370 does not fit");
  }

  @Test
  void knowsForeignKeys() {
    KeyFormat keys = new KeyFormat(new KeyShape(6, 100));
    assertThat(id(keys, "12345")).isEqualTo(-1);
    assertThat(id(keys, "12345x")).isEqualTo(-1);
    assertThat(id(keys, "x12345")).isEqualTo(-1);
  }

  @Test
  void everyByteOfAnArrayThatIsUsedAgainIsWritten() {
    KeyFormat keys = new KeyFormat(new KeyShape(6, 37));
    byte[] key = keys.newKey();
    for (long id : new long[] {99_999, 0, 37 * 12 + 5}) {
      keys.write(id, key);
      assertThat(KeyFormat.text(key)).isEqualTo(keys.key(id));
    }
  }

  private static String prefix(KeyFormat keys, long group) {
    byte[] prefix = keys.newPrefix();
    keys.writePrefix(group, prefix);
    return KeyFormat.text(prefix);
  }

  private static long id(KeyFormat keys, String key) {
    byte[] padded = ("?" + key + "?").getBytes(StandardCharsets.UTF_8);
    return keys.id(padded, 1, padded.length - 1);
  }

  @Test
  void hashedKeysAreScatteredAndLeadBackToTheirRecords() {
    for (int bytes : new int[] {4, 9, 19, 23}) {
      KeyShape shape = KeyShape.hashed(bytes);
      KeyFormat keys = new KeyFormat(shape);
      Set<String> seen = new HashSet<>();
      int ascents = 0;
      String previous = "";
      long records = Math.min(2_000, shape.capacity());
      for (long id = 0; id < records; id++) {
        String key = keys.key(id);
        assertThat(key).hasSize(bytes).matches("[0-9]+");
        assertThat(keys.id(key.getBytes(UTF_8), 0, bytes)).isEqualTo(id);
        assertThat(seen.add(key)).isTrue();
        ascents += key.compareTo(previous) > 0 ? 1 : 0;
        previous = key;
      }
      assertThat(ascents / (double) records).isBetween(0.45, 0.55);
    }
    assertThat(KeyShape.hashed(23).capacity()).isEqualTo(1L << 62);
    assertThat(KeyShape.hashed(4).capacity()).isEqualTo(1L << 13);
    KeyShape shared = KeyShape.hashed(16).under("own:");
    KeyFormat keys = new KeyFormat(shared);
    assertThat(keys.key(7)).startsWith("own:").hasSize(16);
    assertThat(keys.id(keys.key(7).getBytes(UTF_8), 0, 16)).isEqualTo(7);
    assertThat(new KeyFormat(KeyShape.hashed(4)).id("9999".getBytes(UTF_8), 0, 4)).isEqualTo(-1);
  }
}
