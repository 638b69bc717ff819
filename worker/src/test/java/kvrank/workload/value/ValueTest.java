package kvrank.workload.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import kvrank.workload.ValueSource;
import kvrank.workload.key.ChiSquared;
import kvrank.workload.value.ValueShape.Kind;
import org.junit.jupiter.api.Test;

class ValueTest {

  private static byte[] bytes(Value value, long id, long version) {
    value.set(id, version);
    return value.toByteArray();
  }

  /** Wherever it is in an array. */
  private static boolean matches(Value value, byte[] read, long id) {
    byte[] padded = new byte[read.length + 3];
    System.arraycopy(read, 0, padded, 2, read.length);
    return value.matches(padded, 2, 2 + read.length, id);
  }

  /** The seed decides which ones, and nothing else. */
  @Test
  void aShareOfTheVersionsHasATimeToLive() {
    ValueShape shape = ValueShape.fixed(100).with(new Ttl(0.2, 60));
    Value one = new ValueSource(shape, 1).value();
    Value other = new ValueSource(shape, 1).value();
    int expiring = 0;
    for (int id = 0; id < 100; id++) {
      for (int version = 0; version < 100; version++) {
        one.set(id, version);
        other.set(id, version);
        assertThat(one.ttlSeconds()).isEqualTo(other.ttlSeconds()).isIn(0, 60);
        expiring += one.ttlSeconds() / 60;
      }
    }
    // Six standard deviations of 10,000 draws.
    assertThat(expiring).isBetween(1_760, 2_240);
  }

  @Test
  void isAPureFunctionOfSeedRecordAndVersion() {
    for (Kind kind : Kind.values()) {
      ValueShape shape =
          new ValueShape(kind, ValueSizes.between(100, 400, ValueSizes.Spread.UNIFORM), 0.5);
      Value one = new ValueSource(shape, 1).value();
      Value other = new ValueSource(shape, 1).value();
      bytes(one, 9, 9);
      assertThat(bytes(one, 5, 77)).isEqualTo(bytes(other, 5, 77));
      assertThat(bytes(one, 5, 78)).isNotEqualTo(bytes(other, 5, 77));
      assertThat(bytes(one, 6, 77)).isNotEqualTo(bytes(other, 5, 77));
      assertThat(bytes(new ValueSource(shape, 2).value(), 5, 77)).isNotEqualTo(bytes(other, 5, 77));
    }
  }

  @Test
  void everyByteCanBeVerified() {
    for (Kind kind : Kind.values()) {
      for (int size : new int[] {kind.smallestVerifiable(), 137, 1000}) {
        ValueShape shape = new ValueShape(kind, ValueSizes.fixed(size), 0);
        Value value = new ValueSource(shape, 3).value();
        byte[] written = bytes(value, 1_234_567, -987_654_321);
        Value reader = new ValueSource(shape, 3).value();
        assertThat(written).hasSize(size);
        assertThat(matches(reader, written, 1_234_567)).isTrue();
        assertThat(matches(reader, written, 1_234_568)).isFalse();
        assertThat(matches(reader, Arrays.copyOf(written, size - 1), 1_234_567)).isFalse();
        assertThat(matches(reader, Arrays.copyOf(written, size + 1), 1_234_567)).isFalse();
        assertThat(matches(reader, new byte[0], 1_234_567)).isFalse();
        for (int i = 0; i < size; i++) {
          written[i] ^= 1;
          assertThat(matches(reader, written, 1_234_567)).as("byte %s is wrong", i).isFalse();
          written[i] ^= 1;
        }
      }
    }
  }

  @Test
  void smallValuesAreSlicesAlone() {
    Value value = new ValueSource(ValueShape.fixed(8), 3).value();
    assertThat(bytes(value, 1, 1)).hasSize(8).isNotEqualTo(bytes(value, 2, 1));
    assertThat(matches(value, bytes(value, 1, 1), 1)).isFalse();
    byte[] written = bytes(value, 1, 1);
    assertThat(value.equalTo(written, 0, 8)).isTrue();
    written[7]++;
    assertThat(value.equalTo(written, 0, 8)).isFalse();
    assertThat(bytes(new ValueSource(ValueShape.fixed(0), 3).value(), 1, 1)).isEmpty();
  }

  @Test
  void isTheSameWhereverItIsCopiedTo() {
    for (Kind kind : Kind.values()) {
      for (int size : new int[] {kind.smallest(), 120}) {
        ValueShape shape = new ValueShape(kind, ValueSizes.fixed(size), 0);
        Value value = new ValueSource(shape, 3).value();
        byte[] whole = bytes(value, 4, 5);
        byte[] array = new byte[size + 3];
        value.copyTo(array, 2);
        assertThat(Arrays.copyOfRange(array, 2, size + 2)).isEqualTo(whole);
        ByteBuffer outside = ByteBuffer.allocateDirect(size + 3).position(2);
        value.copyTo(outside);
        assertThat(outside.position()).isEqualTo(size + 2);
        byte[] copied = new byte[size];
        outside.get(2, copied);
        assertThat(copied).isEqualTo(whole);
      }
    }
  }

  @Test
  void sizesFollowTheirDistribution() {
    Value uniform =
        new ValueSource(
                new ValueShape(
                    Kind.RANDOM, ValueSizes.between(10, 19, ValueSizes.Spread.UNIFORM), 0),
                1)
            .value();
    Value skewed =
        new ValueSource(
                new ValueShape(
                    Kind.RANDOM, ValueSizes.between(10, 109, ValueSizes.Spread.ZIPFIAN), 0),
                1)
            .value();
    long[] uniformCounts = new long[10];
    long[] skewedCounts = new long[100];
    for (int id = 0; id < 200_000; id++) {
      uniform.set(id, 0);
      uniformCounts[uniform.size() - 10]++;
      skewed.set(id, 0);
      skewedCounts[skewed.size() - 10]++;
    }
    double[] even = new double[10];
    Arrays.fill(even, 0.1);
    assertThat(ChiSquared.deviation(uniformCounts, even)).isBetween(-4.0, 4.0);
    assertThat(ChiSquared.deviation(skewedCounts, ChiSquared.zipf(100, 0.99))).isBetween(-4.0, 4.0);
  }

  /** In blocks of 16 KiB, as storage engines compress. */
  @Test
  void areAsCompressibleAsAsked() {
    for (int size : new int[] {100, 256, 1024, 10_000}) {
      for (double asked : new double[] {0, 0.25, 0.5, 0.75}) {
        ValueShape shape = new ValueShape(Kind.RANDOM, ValueSizes.fixed(size), asked);
        Value value = new ValueSource(shape, 1).value();
        long before = 0;
        long after = 0;
        for (int block = 0; block < 100; block++) {
          ByteArrayOutputStream values = new ByteArrayOutputStream();
          while (values.size() < 16_384) {
            values.writeBytes(bytes(value, block * 1000L + values.size(), block ^ 0x5DEECE66DL));
          }
          before += values.size();
          after += deflated(values.toByteArray());
        }
        assertThat(1 - after / (double) before)
            .as("asked %s of %s bytes", asked, size)
            .isCloseTo(asked, within(0.05));
      }
    }
  }

  private static int deflated(byte[] block) {
    Deflater deflater = new Deflater(6);
    deflater.setInput(block);
    deflater.finish();
    int length = deflater.deflate(new byte[block.length * 2]);
    deflater.end();
    return length;
  }

  @Test
  void documentsAreJsonOfTheAskedSize() {
    for (int size = Kind.JSON.smallest(); size < 2500; size += 7) {
      Value value =
          new ValueSource(new ValueShape(Kind.JSON, ValueSizes.fixed(size), 0), 1).value();
      for (long id : new long[] {0, 99, Long.MAX_VALUE / 2000}) {
        String document = new String(bytes(value, id, id), StandardCharsets.US_ASCII);
        assertThat(document).hasSize(size).startsWith("{\"id\":" + id + ",");
        assertThat(new JsonSyntax(document).isDocument()).as(document).isTrue();
      }
    }
  }

  @Test
  void documentsOfAKilobyteAreNested() {
    Value value = new ValueSource(new ValueShape(Kind.JSON, ValueSizes.fixed(1024), 0), 1).value();
    String document = new String(bytes(value, 7, 1), StandardCharsets.US_ASCII);
    assertThat(document).contains("\"timestamp\":", "\"metadata\":{\"tags\":[", "{\"field\":9,");
  }
}
