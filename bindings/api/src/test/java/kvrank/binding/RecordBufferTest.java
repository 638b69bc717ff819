package kvrank.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RecordBufferTest {

  private final RecordBuffer records = new RecordBuffer();

  @Test
  void holdsAnyNumberOfRecordsOfAnySize() {
    for (int round = 0; round < 2; round++) {
      records.clear();
      for (int i = 0; i < 200; i++) {
        byte[] key = new byte[i % 7];
        byte[] value = new byte[i * 3 % 101];
        if (i % 2 == 0) {
          records.add(key, value);
        } else {
          records.add(ByteBuffer.wrap(key), ByteBuffer.wrap(value));
        }
      }
      assertThat(records.size()).isEqualTo(200);
      for (int i = 0; i < 200; i++) {
        assertThat(records.key(i)).hasSize(i % 7);
        assertThat(records.value(i)).hasSize(i * 3 % 101);
      }
    }
  }

  @Test
  void copiesRecords() {
    byte[] key = {1, 2, 0};
    byte[] value = {3, 0};
    records.add(key, 2, value, 1);
    records.add(new byte[0], new byte[] {4});
    key[0] = 9;
    value[0] = 9;
    assertThat(records.key(0)).containsExactly(1, 2);
    assertThat(records.value(0)).containsExactly(3);
    assertThat(records.key(1)).isEmpty();
    assertThat(records.value(1)).containsExactly(4);
    records.clear();
    assertThat(records.size()).isZero();
  }

  @Test
  void stopsAtItsBounds() {
    byte[] none = {};
    records.bound(Optional.of(new byte[] {(byte) 0x80}), 3);
    assertThat(records.add(new byte[] {1}, none)).isTrue();
    assertThat(records.add(new byte[] {0x7F, 0x7F}, none)).isTrue();
    assertThat(records.add(new byte[] {(byte) 0x80}, none)).as("its end").isFalse();
    assertThat(records.add(new byte[] {(byte) 0x81}, none)).isFalse();
    assertThat(records.size()).isEqualTo(2);
    assertThat(records.add(new byte[] {2}, none)).as("its limit").isFalse();
    assertThat(records.size()).isEqualTo(3);
    records.clear();
    assertThat(records.add(new byte[] {(byte) 0x81}, none)).isTrue();
  }
}
