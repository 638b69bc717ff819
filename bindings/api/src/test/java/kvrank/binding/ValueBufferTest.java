package kvrank.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;

final class ValueBufferTest {

  private final ValueBuffer value = new ValueBuffer(4);

  @Test
  void isEmptyUntilItHasAValue() {
    assertThat(value.isPresent()).isFalse();
    value.heap();
    assertThat(value.isPresent()).as("only memory, no value").isFalse();
    value.length(0);
    assertThat(value.isPresent()).isTrue();
    assertThat(value.toByteArray()).isEmpty();
    value.clear();
    assertThat(value.isPresent()).isFalse();
  }

  @Test
  void reusesItsArray() {
    byte[] own = value.heap();
    assertThat(own).hasSize(4);
    own[0] = 7;
    value.length(1);
    assertThat(value.toByteArray()).containsExactly(7);
    assertThat(value.array()).isSameAs(own);
    assertThat(value.heap(4)).isSameAs(own);
    byte[] larger = value.heap(5);
    assertThat(larger).hasSizeGreaterThanOrEqualTo(5);
    assertThat(value.heap()).isSameAs(larger);
  }

  @Test
  void wrapsAnArrayWithoutACopy() {
    byte[] theirs = {1, 2};
    value.wrap(theirs);
    assertThat(value.array()).isSameAs(theirs);
    assertThat(value.length()).isEqualTo(2);
    assertThat(value.heap()).isNotSameAs(theirs);
  }

  @Test
  void copiesABuffer() {
    ByteBuffer theirs = ByteBuffer.allocateDirect(6).put(new byte[] {9, 1, 2, 3, 4, 5}).position(1);
    value.put(theirs);
    theirs.put(1, (byte) 0);
    assertThat(value.toByteArray()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void hasMemoryOutsideOfTheHeap() {
    for (int least : new int[] {1, 4, 5, 1000}) {
      NativeMemory memory = value.direct(least);
      assertThat(memory.capacity()).isGreaterThanOrEqualTo(least);
      memory.buffer().put(0, (byte) least);
      value.length(1);
      assertThat(value.toByteArray()).containsExactly((byte) least);
      assertThat(value.direct(least)).isSameAs(memory);
      value.clear();
    }
  }

  @Test
  void readsAnIteratorWhenTheValueIsUsed() {
    ByteArrayByteIterator theirs = new ByteArrayByteIterator(new byte[] {1, 2});
    value.wrap(theirs);
    assertThat(value.isPresent()).isTrue();
    assertThat(theirs.bytesLeft()).isEqualTo(2);
    assertThat(value.toByteArray()).containsExactly(1, 2);
    assertThat(value.length()).isEqualTo(2);
    assertThat(theirs.bytesLeft()).isZero();
  }

  @Test
  void nativeMemoryHasAnAddress() {
    NativeMemory memory = NativeMemory.allocate(64);
    ByteBuffer part = memory.buffer().slice(16, 8).order(ByteOrder.nativeOrder());
    part.putLong(0, 42);
    assertThat(memory.buffer().getLong(16)).isEqualTo(42);
    assertThat(memory.address()).isPositive();
    assertThat(new NativeMemory(part, memory.address() + 16).capacity()).isEqualTo(8);
  }
}
